"""Sends a mail, once: it is claimed before it leaves (P8)."""

from importlib import import_module
from typing import Final, Literal

from engine.decisions import Decision, Drop, Job, Put
from engine.platform.mails import Mail
from functions.acting import act
from functions.letters.written import Written
from infra.log import log
from infra.mail import MailRefused, MailUnknown
from infra.records import MAIL
from infra.site import Site
from infra.store import Conflict

WRITERS: Final = {"sign_in": "functions.letters.sign_in", "turn_link": "functions.letters.turn_link"}
DUELS: Final = "functions.letters.duel"


def run(site: Site, job: Job) -> None:
    """Write the letter, claim it, send it. Raises MailRefused if the server would not have it: then it is not claimed.

    A letter that was claimed and never heard of again may have been sent: it is marked so, and not sent again.
    """
    claimed = site.store.get(MAIL, job.id)
    if claimed is not None:
        if claimed.value.state == "claimed":
            _mark(site, claimed.value, "unknown")
        return
    writer = import_module(WRITERS.get(job.about["notice"], DUELS))
    written: Written = writer.write(site, job)
    if written.follow:
        act(site, lambda: Decision(written.follow, None))
    if written.letter is None:
        return
    mail = Mail(job.id, str(job.about["notice"]), str(job.about.get("to", "")), "claimed", site.sources.now())
    try:
        site.store.commit(Decision((Put(mail, 0),), None))
    except Conflict:
        return
    try:
        site.mailer.send(written.letter)
    except MailRefused:
        site.store.commit(Decision((Drop(mail, None),), None))
        raise
    except MailUnknown:
        log("mail unknown", mail=job.id)
        _mark(site, mail, "unknown")
        return
    _mark(site, mail, "sent")


def _mark(site: Site, mail: Mail, state: Literal["sent", "unknown"]) -> None:
    site.store.commit(Decision((Put(Mail(mail.id, mail.notice, mail.to, state, mail.at), None),), None))
