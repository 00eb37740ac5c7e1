"""Letters: how they are written, kept, sent by SMTP and by SES (P8)."""

from dataclasses import replace
from email import message_from_string
from email.policy import default
from pathlib import Path
from typing import Any

import botocore.exceptions
import pytest
from botocore.stub import ANY, Stubber

from infra.mail import Letter, Mailer, MailRefused, MailUnknown
from infra.mail_folder import BothMailer, FolderMailer, folder_of
from infra.mail_message import message
from infra.mail_ses import SesMailer
from infra.mail_smtp import SmtpMailer
from tests.infra.smtp_server import Script, serving
from tests.support.browser import Browser
from tests.support.site import NOON, FixedSources, Postbox, site_in

SENDER = "games@example.org"
TEXT = "Bonjour Zoé,\n\n.un point\nhttps://example.org/turn/abc?x=1.\n"
TEXT += "(https://example.org/é) et « https://example.org/b ».\n"
LETTER = Letter(
    to="zoe@example.org",
    subject="À vous de jouer\u202f: tour 3",
    text=TEXT,
    html="<p>Bonjour Zoé &amp; <a href='https://example.org/turn/abc'>lien</a></p>",
    unsubscribe="https://example.org/unsubscribe/token",
    reference="mail/turn/d1/3/a",
)


def folder(path: Path, sources: FixedSources | None = None) -> FolderMailer:
    return FolderMailer(path, SENDER, "Hidden Orders", (sources or FixedSources()).now)


def smtp(script: Script, url: str = "smtp://127.0.0.1:{port}") -> SmtpMailer:
    return SmtpMailer(url.format(port=script.port), SENDER, "Hidden Orders", FixedSources().now, timeout=0.5)


def test_a_message_has_both_bodies_and_the_headers_of_automatic_mail() -> None:
    made = message(LETTER, SENDER, "Hidden Orders", NOON)
    read = message_from_string(made.as_string(), policy=default)
    assert read["Subject"] == LETTER.subject and read["To"] == LETTER.to
    assert str(read["From"]) == "Hidden Orders <games@example.org>"
    assert read["Auto-Submitted"] == "auto-generated"
    assert read["List-Unsubscribe"] == "<https://example.org/unsubscribe/token>"
    assert read["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert read["Date"].datetime.timestamp() * 1000 == NOON // 1000 * 1000
    plain, html = read.iter_parts()
    assert (plain.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    assert plain.get_content().replace("\r\n", "\n") == TEXT and "Zoé &amp;" in html.get_content()


def test_a_long_unsubscribe_address_stands_in_its_header_as_it_is() -> None:
    address = f"https://example.org/unsubscribe/{'W1siYWJjZGVmZ2hpamts' * 8}.Sn1_-x"
    raw = message(replace(LETTER, unsubscribe=address), SENDER, "x", NOON).as_bytes()
    assert f"\r\nList-Unsubscribe: <{address}>\r\n".encode() in raw
    with pytest.raises(ValueError):
        message(replace(LETTER, unsubscribe="https://example.org/\r\nBcc: eve@example.org"), SENDER, "x", NOON)


def test_the_same_job_has_the_same_message_id() -> None:
    ids = [message(replace(LETTER, reference=r), SENDER, "x", NOON)["Message-ID"] for r in ("a", "a", "b")]
    assert ids[0] == ids[1] != ids[2] and str(ids[0]).endswith("@example.org>")


def test_sign_in_mails_can_t_be_unsubscribed() -> None:
    made = message(replace(LETTER, unsubscribe=None), SENDER, "x", NOON)
    assert "List-Unsubscribe" not in made and "List-Unsubscribe-Post" not in made


def test_no_header_can_be_smuggled_in() -> None:
    made = message(replace(LETTER, subject="a\r\nBcc: eve@example.org"), SENDER, "x", NOON)
    assert made["Bcc"] is None and made["Subject"] == "a Bcc: eve@example.org"
    with pytest.raises(ValueError):
        message(replace(LETTER, to="a@example.org\r\nBcc: eve@example.org"), SENDER, "x", NOON)


def test_the_folder_keeps_mails_newest_first(tmp_path: Path) -> None:
    sources = FixedSources()
    mailer = folder(tmp_path, sources)
    mailer.send(LETTER)
    sources.move(1000)
    mailer.send(replace(LETTER, subject="Second", reference="other", unsubscribe=None))
    second, first = folder(tmp_path).newest(10)
    assert (second.subject, second.unsubscribe, second.at) == ("Second", None, NOON + 1000)
    assert (first.to, first.subject, first.text) == (LETTER.to, LETTER.subject, TEXT)
    assert first.html.strip() == LETTER.html and first.unsubscribe == LETTER.unsubscribe
    assert first.links == ("https://example.org/turn/abc?x=1", "https://example.org/é", "https://example.org/b")
    assert [mail.id for mail in folder(tmp_path).newest(1)] == [second.id]
    assert mailer.find(first.id) == first


@pytest.mark.parametrize("id", ["", "..", "../x", "1790000000000-000000000000", "/etc/passwd"])
def test_the_folder_has_no_other_files(tmp_path: Path, id: str) -> None:
    assert folder(tmp_path / "mail").find(id) is None


def test_smtp_hands_a_letter_over() -> None:
    with serving(Script()) as script:
        smtp(script).send(LETTER)
    (received,) = script.received
    read = message_from_string(received, policy=default)
    body = read.get_body(("plain",))
    assert body and body.get_content().replace("\r\n", "\n") == TEXT


@pytest.mark.parametrize(
    ("at", "answer"),
    [
        ("HELLO", "554 no"),
        ("HELLO", "hang up"),
        ("HELLO", "wait"),
        ("EHLO", "hang up"),
        ("MAIL", "451 later"),
        ("RCPT", "550 nobody"),
        ("RCPT", "wait"),
        ("DATA", "554 no"),
        ("END", "554 spam"),
        ("END", "451 later"),
    ],
)
def test_a_letter_that_was_not_taken_is_refused(at: str, answer: str) -> None:
    with serving(Script(at, answer)) as script, pytest.raises(MailRefused):
        smtp(script).send(LETTER)


@pytest.mark.parametrize("answer", ["hang up", "wait"])
def test_a_lost_answer_is_unknown(answer: str) -> None:
    with serving(Script("END", answer)) as script, pytest.raises(MailUnknown):
        smtp(script).send(LETTER)


def test_a_server_that_is_down_refuses() -> None:
    with serving(Script()) as script:
        pass
    with pytest.raises(MailRefused):
        smtp(script).send(LETTER)


def test_a_password_is_not_given_in_the_clear() -> None:
    with serving(Script(extensions=("AUTH PLAIN LOGIN",))) as script, pytest.raises(MailRefused):
        smtp(script, "smtp://ida:secret@127.0.0.1:{port}").send(LETTER)
    assert script.received == []


@pytest.mark.parametrize("url", ["", "localhost:25", "http://localhost", "smtp://"])
def test_an_address_that_is_no_mail_server_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="SMTP_URL"):
        SmtpMailer(url, SENDER, "x", FixedSources().now)


class Failing:
    """A mailer that raises."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def send(self, letter: Letter) -> None:
        raise self._error


@pytest.mark.parametrize(("error", "kept"), [(MailRefused(), 0), (MailUnknown(), 1)])
def test_the_folder_keeps_what_left_or_may_have(tmp_path: Path, error: Exception, kept: int) -> None:
    mailer = BothMailer(folder(tmp_path), Failing(error))
    with pytest.raises(type(error)):
        mailer.send(LETTER)
    assert len(mailer.folder.newest(9)) == kept


def test_what_left_is_kept_too(tmp_path: Path) -> None:
    other = Postbox()
    mailer: Mailer = BothMailer(folder(tmp_path), other)
    mailer.send(LETTER)
    found = folder_of(mailer)
    assert other.letters == [LETTER] and found and len(found.newest(9)) == 1
    assert folder_of(other) is None


@pytest.fixture
def ses() -> tuple[SesMailer, Stubber]:
    mailer = SesMailer(SENDER, "Hidden Orders", FixedSources().now, "feedback")
    return mailer, Stubber(mailer._client)


def test_ses_gets_the_message_as_it_is(ses: tuple[SesMailer, Stubber]) -> None:
    mailer, stub = ses
    expected: dict[str, Any] = {
        "FromEmailAddress": SENDER,
        "Destination": {"ToAddresses": [LETTER.to]},
        "Content": {"Raw": {"Data": ANY}},
        "ConfigurationSetName": "feedback",
    }
    stub.add_response("send_email", {"MessageId": "1"}, expected)
    with stub:
        mailer.send(LETTER)
    stub.assert_no_pending_responses()


@pytest.mark.parametrize(("status", "error"), [(400, MailRefused), (429, MailRefused), (500, MailUnknown)])
def test_what_ses_says_no_to_is_refused(ses: tuple[SesMailer, Stubber], status: int, error: type[Exception]) -> None:
    mailer, stub = ses
    stub.add_client_error("send_email", "MessageRejected", http_status_code=status)
    with stub, pytest.raises(error):
        mailer.send(LETTER)


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (botocore.exceptions.ConnectTimeoutError(endpoint_url="x"), MailRefused),
        (botocore.exceptions.EndpointConnectionError(endpoint_url="x"), MailRefused),
        (botocore.exceptions.ReadTimeoutError(endpoint_url="x"), MailUnknown),
        (botocore.exceptions.ConnectionClosedError(endpoint_url="x"), MailUnknown),
    ],
)
def test_what_ses_does_not_answer_is_unknown(
    ses: tuple[SesMailer, Stubber], monkeypatch: pytest.MonkeyPatch, failure: Exception, error: type[Exception]
) -> None:
    def fail(**_: object) -> None:
        raise failure

    monkeypatch.setattr(ses[0]._client, "send_email", fail)
    with pytest.raises(error):
        ses[0].send(LETTER)


def test_the_mailbox_page_shows_mails_to_people_and_to_scripts(tmp_path: Path) -> None:
    test = site_in(tmp_path)
    mailer = folder(tmp_path / "mail")
    object.__setattr__(test.site, "mailer", mailer)
    mailer.send(replace(LETTER, subject="<b>bold</b>"))
    browser = Browser()
    page = browser.get("/_mail")
    assert "&lt;b&gt;bold" in page.text and "<b>bold" not in page.text
    (mail,) = browser.data("/_mail")["mails"]
    assert mail == {
        "id": mail["id"],
        "to": LETTER.to,
        "subject": "<b>bold</b>",
        "text": TEXT,
        "html": mail["html"],
        "at": NOON,
        "links": ["https://example.org/turn/abc?x=1", "https://example.org/é", "https://example.org/b"],
        "unsubscribe": LETTER.unsubscribe,
    }
    shown = browser.get(f"/_mail/{mail['id']}")
    assert shown.text.strip() == LETTER.html and "script-src" not in shown.headers["content-security-policy"]
    assert browser.get("/_mail/1790000000000-000000000000").status == 404
