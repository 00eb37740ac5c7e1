"""Letters as messages (RFC 5322), for whichever way they leave."""

import hashlib
import re
from datetime import UTC, datetime
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime
from typing import Final

from engine.times import Instant
from infra.mail import Letter

_CONTROLS: Final = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+")


class _Whole(UnstructuredHeader, BaseHeader):
    """A header written as it is: folding would turn a long address into encoded words, which RFC 2369 does not know."""

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


_HEADERS: Final = HeaderRegistry()
_HEADERS.map_to_type("list-unsubscribe", _Whole)
POLICY: Final = SMTP.clone(header_factory=_HEADERS)


def message(letter: Letter, sender: str, name: str, now: Instant) -> EmailMessage:
    """The message: text and HTML, its Message-ID derived from the letter's reference, so that one sent twice is known.

    ValueError if the address or a header can't be written.
    """
    made = EmailMessage(policy=POLICY)
    made["From"] = Address(name, addr_spec=sender)
    made["To"] = Address(addr_spec=letter.to)
    made["Subject"] = _CONTROLS.sub(" ", letter.subject).strip()
    made["Date"] = format_datetime(datetime.fromtimestamp(now / 1000, UTC))
    made["Message-ID"] = message_id(letter.reference, sender)
    made["Auto-Submitted"] = "auto-generated"
    if letter.unsubscribe:
        made["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        made["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    made.set_content(letter.text, cte="quoted-printable")
    made.add_alternative(letter.html, subtype="html", cte="quoted-printable")
    for picture in letter.pictures:
        html = made.get_body(("html",))
        if isinstance(html, EmailMessage):
            html.add_related(picture.data, "image", "png", cid=f"<{picture.name}>", filename=f"{picture.name}.png")
    return made


def message_id(reference: str, sender: str) -> str:
    """The Message-ID of what a job sends."""
    return f"<{hashlib.sha256(reference.encode()).hexdigest()[:32]}@{sender.rpartition('@')[2]}>"
