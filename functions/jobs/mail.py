"""Sends a mail, once: it is claimed before it leaves (P8)."""

from dataclasses import replace
from importlib import import_module
from typing import Final, Literal

from engine.decisions import Decision, Job, Put
from engine.platform.mails import LONGEST_SENDING, Mail, claim, give_up, under_way
from functions.acting import act
from functions.letters.written import Written
from infra.log import log
from infra.mail import MailDelayed, MailRefused, MailUnknown
from infra.records import MAIL
from infra.site import Site

TOURNAMENTS: Final = "functions.letters.tournament"
WRITERS: Final = {
    "sign_in": "functions.letters.sign_in",
    "turn_link": "functions.letters.turn_link",
    "act": "functions.letters.moderation",
    "judged": "functions.letters.moderation",
    "season": "functions.letters.season",
    **dict.fromkeys(("cup_started", "cup_cancelled", "cup_won", "cup_over"), TOURNAMENTS),
}
DUELS: Final = "functions.letters.duel"
SIEGES: Final = ("siege_", "functions.letters.siege")  # by how their notices begin


class UnderWay(MailDelayed):
    """Another attempt may be sending this very mail: what became of it is looked at later."""


def run(site: Site, job: Job) -> None:
    """Write the letter, claim it, send it. Raises MailRefused if the server would not have it: then it is not claimed.

    A letter that was claimed and never heard of again may have been sent: it is marked so, and not sent again.
    """
    known = site.store.get(MAIL, job.id)
    if known is not None:
        _look_after(site, known.value)
        return
    writer = import_module(_writer(str(job.about["notice"])))
    written: Written = writer.write(site, job)
    if written.follow:
        act(site, lambda: Decision(written.follow, None))
    if written.letter is None:
        return
    about = job.about
    mail = Mail(
        job.id, str(about["notice"]), str(about.get("to", "")), "claimed", site.sources.now(), site.sources.id()
    )
    if not act(site, lambda: claim(site.store.get(MAIL, job.id), mail)):
        raise UnderWay
    try:
        site.mailer.send(written.letter)
    except MailRefused:
        act(site, lambda: give_up(site.store.get(MAIL, job.id), mail.owner))
        raise
    except MailUnknown:
        log("mail unknown", mail=job.id)
        _mark(site, mail, "unknown")
        return
    _mark(site, mail, "sent")


def _writer(notice: str) -> str:
    prefix, sieges = SIEGES
    return sieges if notice.startswith(prefix) else WRITERS.get(notice, DUELS)


def _look_after(site: Site, mail: Mail) -> None:
    """What another attempt left: nothing to do if it was sent, and no second try if nobody knows."""
    if under_way(mail, site.sources.now(), site.settings.stretched(LONGEST_SENDING)):
        raise UnderWay
    if mail.state == "claimed":
        _mark(site, mail, "unknown")


def _mark(site: Site, mail: Mail, state: Literal["sent", "unknown"]) -> None:
    act(site, lambda: Decision((Put(replace(mail, state=state), None),), None))
