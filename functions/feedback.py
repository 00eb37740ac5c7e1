"""What the mail service tells of letters that came back or were complained about: their addresses are paused (P4)."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from engine.decisions import Decision
from engine.errors import Malformed
from engine.platform.addresses import address, mailbox_key
from engine.platform.preferences import pause
from functions.acting import act
from infra.log import log
from infra.records import MAILBOX, MEMBER
from infra.site import Site, current

Why = Literal["bounce", "complaint"]

NOT_SPAM: Final = "not-spam"  # a complaint taken back


def handler(event: Mapping[str, Any], context: Any) -> None:
    """Take in SES notifications, brought by SNS or EventBridge; one that comes twice changes nothing the second time.

    What is no bounce for good and no complaint is passed over, and so is an address that is nobody's.
    """
    site = current()
    for told in _told(event):
        for raw, why in _failed(told):
            _pause(site, raw, why)
            log("feedback", why=why)


def _told(event: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if isinstance(event.get("detail"), Mapping):
        yield event["detail"]
    for record in event.get("Records", ()):
        told = json.loads(record["Sns"]["Message"])
        if isinstance(told, Mapping):
            yield told


def _failed(told: Mapping[str, Any]) -> Iterator[tuple[str, Why]]:
    """The addresses that a notification tells of, as it spells them."""
    bounce, complaint = told.get("bounce"), told.get("complaint")
    if bounce and bounce.get("bounceType") == "Permanent":
        yield from ((str(r["emailAddress"]), "bounce") for r in bounce.get("bouncedRecipients", ()))
    if complaint and complaint.get("complaintFeedbackType") != NOT_SPAM:
        yield from ((str(r["emailAddress"]), "complaint") for r in complaint.get("complainedRecipients", ()))


def _pause(site: Site, raw: str, why: Why) -> None:
    try:
        key = mailbox_key(site.settings.secret, address(_bare(raw)))
    except Malformed:
        return

    def decide() -> Decision[Any]:
        mailbox = site.store.get(MAILBOX, key)
        member = site.store.get(MEMBER, mailbox.value.member) if mailbox else None
        return pause(member, why) if member else Decision((), None)

    act(site, decide)


def _bare(raw: str) -> str:
    """The address alone of `Name <address>`."""
    return raw.rpartition("<")[2].rstrip(">").strip()
