"""Mails kept in a folder, one `.eml` file each, to be read at `/_mail`."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Final

from engine.times import Instant
from infra.mail import Letter, Mailer, MailRefused, MailUnknown
from infra.mail_message import message

_ID: Final = re.compile(r"[0-9]{13,16}-[0-9a-f]{12}")
_LINK: Final = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:!?)»]")


@dataclass(frozen=True, slots=True)
class KeptMail:
    """A mail of the folder. `links` are those of its text."""

    id: str
    to: str
    subject: str
    text: str
    html: str
    at: Instant
    links: tuple[str, ...]
    unsubscribe: str | None


class FolderMailer:
    """Writes each letter to a file; nothing leaves the machine."""

    def __init__(self, path: Path, sender: str, name: str, now: Callable[[], Instant]) -> None:
        self._path = path
        self._sender = sender
        self._name = name
        self._now = now
        path.mkdir(parents=True, exist_ok=True)

    def send(self, letter: Letter) -> None:
        """Keep the letter; raises MailRefused if it can't be written as a message."""
        now = self._now()
        try:
            data = message(letter, self._sender, self._name, now).as_bytes()
        except ValueError as error:
            raise MailRefused("not a message") from error
        about = hashlib.sha256(letter.reference.encode()).hexdigest()[:12]
        target = self._path / f"{now:013d}-{about}.eml"
        draft = target.with_suffix(".part")
        draft.write_bytes(data)
        draft.replace(target)

    def newest(self, limit: int) -> tuple[KeptMail, ...]:
        """The last mails, the newest first."""
        files = sorted(self._path.glob("*.eml"), key=lambda path: path.name, reverse=True)
        return tuple(_read(path) for path in files[:limit])

    def find(self, id: str) -> KeptMail | None:
        """The mail of this id."""
        path = self._path / f"{id}.eml"
        return _read(path) if _ID.fullmatch(id) and path.is_file() else None


class BothMailer:
    """Sends letters by another mailer, and keeps in the folder those that left or may have."""

    def __init__(self, folder: FolderMailer, other: Mailer) -> None:
        self.folder = folder
        self._other = other

    def send(self, letter: Letter) -> None:
        """See `Mailer.send`."""
        try:
            self._other.send(letter)
        except MailUnknown:
            self.folder.send(letter)
            raise
        self.folder.send(letter)


def folder_of(mailer: Mailer) -> FolderMailer | None:
    """The folder that this mailer keeps mails in, if it does."""
    if isinstance(mailer, BothMailer):
        return mailer.folder
    return mailer if isinstance(mailer, FolderMailer) else None


def _read(path: Path) -> KeptMail:
    mail = message_from_bytes(path.read_bytes(), policy=SMTP)
    text = _part(mail, "plain")
    return KeptMail(
        id=path.stem,
        to=str(mail["To"]),
        subject=str(mail["Subject"]),
        text=text,
        html=_with_pictures(mail, _part(mail, "html")),
        at=Instant(int(path.stem.partition("-")[0])),
        links=tuple(dict.fromkeys(_LINK.findall(text))),
        unsubscribe=str(mail["List-Unsubscribe"]).strip("<>") if mail["List-Unsubscribe"] else None,
    )


def _with_pictures(mail: EmailMessage, html: str) -> str:
    """The HTML with the pictures that travel with it put in, as a browser knows nothing of a mail's other parts."""
    for part in mail.walk():
        name, data = part.get("Content-ID", "").strip("<>"), part.get_payload(decode=True)
        if name and isinstance(data, bytes):
            html = html.replace(f"cid:{name}", f"data:{part.get_content_type()};base64,{b64encode(data).decode()}")
    return html


def _part(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body((kind,))
    return str(part.get_content()).replace("\r\n", "\n") if part else ""
