"""Letters and how they leave."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG that travels with a letter: its HTML shows it as `cid:<name>`."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail ready to send. `unsubscribe` is the one-click address of RFC 8058, None for sign-in mails."""

    to: str
    subject: str
    text: str
    html: str
    unsubscribe: str | None
    reference: str  # names the job that sends it, in logs and in the mail folder
    pictures: tuple[Picture, ...] = ()


class MailDelayed(Exception):
    """The letter can't go out now, through no fault of its own: it is tried again until its moment has passed."""


class MailRefused(MailDelayed):
    """The mail server did not take the letter."""


class MailUnknown(Exception):
    """The answer was lost: the letter may be on its way, and is not sent again."""


class Mailer(Protocol):
    """Sends letters."""

    def send(self, letter: Letter) -> None:
        """Hand the letter over; raises MailRefused or MailUnknown."""
        ...
