"""Linked accounts as they are kept: who is linked to whom, and how browsers are used (P28)."""

import hashlib
import hmac
from typing import Final

from engine.decisions import Decision, Job, Put
from engine.platform import linking as rules
from engine.platform.linking import BROWSER, BrowserUse, Pair
from engine.platform.local_days import day_of
from engine.platform.members import MemberId
from engine.platform.moderation.acting import Take, take
from engine.platform.moderation.records import Act
from engine.times import Instant
from functions.acting import act
from functions.limits import client
from infra.records import BROWSER_USE, DUEL, LINK, MEMBER_GAME
from infra.site import Site

LINKS_READ: Final = 50
GROUP: Final = 12  # accounts of one person, looked up to here
USES_READ: Final = 20
GAMES_READ: Final = 6
NOBODY: Final = MemberId("")  # what the site does by itself


def linked(site: Site, member: MemberId) -> frozenset[MemberId]:
    """Every account that is taken for the same person's as this one, for games that start now.

    Links run on from account to account, but never over one that moderators have ended: one query for each account.
    """
    ended, found, left = set[MemberId](), {member}, [member]
    while left and len(found) < GROUP:
        for row in site.store.query(LINK, "", left.pop(), limit=LINKS_READ).rows:
            link = row.value
            if not link.acts:
                ended |= {link.other} if link.member == member else set()
            elif link.other not in found:
                found.add(link.other)
                left.append(link.other)
    return frozenset(found - ended - {member})


def are_linked(site: Site, one: MemberId, other: MemberId) -> bool:
    """Whether games of the two that start now are between linked accounts; a link of their own is one read."""
    row = site.store.get(LINK, one, other)
    return row.value.acts if row is not None else other in linked(site, one)


def share_network(site: Site, one: MemberId, other: MemberId) -> bool:
    """Whether the two have signed in from one network; two queries."""
    return rules.shared(_uses(site, one), _uses(site, other))


def pair(site: Site, one: MemberId, other: MemberId) -> Pair:
    """What is kept of a link of the two; two reads."""
    return Pair(one, other, site.store.get(LINK, one, other), site.store.get(LINK, other, one))


def note_sign_in(site: Site, browser: str, member: MemberId, address: str) -> None:
    """A full sign-in from a browser, named by the hash of its cookie, from an IP address of which a hash is kept."""
    now = site.sources.now()
    network = hmac.digest(site.settings.secret, b"network/" + client(address).encode(), hashlib.sha256).hex()[:16]
    use = BrowserUse(browser, member, now, (day_of(now, site.settings.zone),), (network,))

    def decide() -> Decision[BrowserUse]:
        decision = rules.signed_in(site.store.get(BROWSER_USE, browser, member), use)
        jobs = (Put(look_job(browser, now), None),) if decision.changes else ()
        return Decision((*decision.changes, *jobs), decision.answer)

    act(site, decide)


def look_job(browser: str, now: Instant) -> Job:
    """What looks whether a browser's use links accounts."""
    return Job(f"link/{browser}", now, "link", {"browser": browser})


def look_again(site: Site, member: MemberId) -> None:
    """The member has sent orders: their browsers may link accounts now."""
    now = site.sources.now()
    jobs = tuple(Put(look_job(use.browser, now), None) for use in _uses(site, member))
    act(site, lambda: Decision(jobs, None))


def look(site: Site, browser: str) -> None:
    """Link the accounts that were used from this browser as one person's are, if orders were sent in both."""
    uses = [row.value for row in site.store.query(BROWSER_USE, "", browser, limit=USES_READ).rows]
    for one, other in rules.suspects(uses):
        if has_sent(site, one) and has_sent(site, other):
            _link(site, one, other)


def has_sent(site: Site, member: MemberId) -> bool:
    """Whether a member has sent orders in one of the latest games; a few reads."""
    for state in ("ended", "running"):
        for row in site.store.query(MEMBER_GAME, "lists", member, state, limit=GAMES_READ).rows:
            duel = site.store.get(DUEL, row.value.duel)
            player = duel.value.player(member) if duel else None
            if player is not None and (player.sheets or (player.sheet and player.sheet.by == "member")):
                return True
    return False


def _link(site: Site, one: MemberId, other: MemberId) -> None:
    """Link two accounts by the use of a browser, told to both as an act of the site's own that they may answer."""

    def decide() -> Decision[Act | None]:
        now = site.sources.now()
        changes = rules.link(pair(site, one, other), BROWSER, now)
        if not changes:
            return Decision((), None)
        command = Take("link", one, NOBODY, BROWSER, f"{BROWSER}/{other}", other, (one, other))
        taken = take(command, None, (), now)
        return Decision((*changes, *taken.changes), taken.answer)

    act(site, decide)


def _uses(site: Site, member: MemberId) -> list[BrowserUse]:
    return [row.value for row in site.store.query(BROWSER_USE, "member", member, limit=5).rows]
