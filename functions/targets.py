"""What moderators' acts may be about, and whom they concern (P29)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from engine.errors import Refusal
from engine.platform.doctrines import author_and_slot
from engine.platform.duels.records import Duel
from engine.platform.marks import Mark
from engine.platform.members import Member, MemberId
from engine.platform.tournaments import playing
from functions import linking, siege_texts
from functions.acting import duel_row
from functions.sieges import siege_row
from functions.tournaments import tournament_row
from infra.records import CONTENDER, DUEL, FRONT_GAME, JOB, MARK, MEMBER, REPORT
from infra.site import Site

VOIDED: Final = ("duel", "match", "challenge")


@dataclass(frozen=True, slots=True)
class Target:
    """What an act is about, in the form in which it is kept, and the members whom it concerns."""

    about: str
    other: str = ""
    concerns: tuple[MemberId, ...] = ()


def person(id: MemberId) -> MemberId:
    """A member's doctrine counts as its author."""
    found = author_and_slot(id)
    return found[0] if found else id


def _stop(site: Site, about: str, other: str) -> Target:
    duel = duel_row(site, about).value
    if duel.stage == "ended":
        raise Refusal("not_in_progress")
    return _of_game(duel)


def _stop_siege(site: Site, about: str, other: str) -> Target:
    siege = siege_row(site, about).value
    if siege.stage not in ("open", "playing"):
        raise Refusal("not_in_progress")
    return Target(siege.id, "", siege.members)


def _void(site: Site, about: str, other: str) -> Target:
    duel = duel_row(site, about).value
    if duel.kind not in VOIDED or duel.result is None or not duel.result.counts or duel.voided:
        raise Refusal("nothing_to_void")
    return _of_game(duel)


def _remove_front(site: Site, about: str, other: str) -> Target:
    duel = duel_row(site, about).value
    entry = site.store.get(FRONT_GAME, duel.front, duel.members[0].member) if duel.front else None
    if entry is None or entry.value.game != duel.id or not entry.value.ranked:
        raise Refusal("not_ranked")
    return _of_game(duel)


def _of_game(duel: Duel) -> Target:
    return Target(duel.id, "", tuple(person(p.member) for p in duel.players if p.policy is None))


def _hide_doctrine(site: Site, about: str, other: str) -> Target:
    row = site.store.get(CONTENDER, about)
    if row is None or row.value.author is None or row.value.hidden:
        raise Refusal("no_such_doctrine")
    return Target(about, "", (row.value.author,))


def _hide_name(site: Site, about: str, other: str) -> Target:
    member = _member(site, about)
    return Target(about, member.name, (member.id,))


def _hide_text(site: Site, about: str, other: str) -> Target:
    siege, row = siege_texts.public_text(site, about)
    writer = siege_texts.author(siege, row.value)
    if row.value.hidden or writer is None:
        raise Refusal("no_such_text")
    return Target(siege_texts.text_key(siege.id, row.value.turn, row.value.id), "", (writer,))


def _freeze(site: Site, about: str, other: str) -> Target:
    member = _member(site, about)
    if member.frozen is not None:
        raise Refusal("frozen_already")
    return Target(about, "", (member.id,))


def _unfreeze(site: Site, about: str, other: str) -> Target:
    member = _member(site, about)
    if member.frozen is None:
        raise Refusal("not_frozen")
    return Target(about, "", (member.id,))


def _link(site: Site, about: str, other: str) -> Target:
    one, two = _member(site, about), _member(site, other)
    if one.id == two.id:
        raise Refusal("link_self")
    kept = linking.pair(site, one.id, two.id).kept
    if kept is not None and kept.value.acts:
        raise Refusal("linked_already")
    return Target(one.id, two.id, (one.id, two.id))


def _unlink(site: Site, about: str, other: str) -> Target:
    kept = linking.pair(site, MemberId(about), MemberId(other)).kept
    if kept is None or not kept.value.acts:
        raise Refusal("not_linked")
    return Target(about, other, (MemberId(about), MemberId(other)))


def _dismiss(site: Site, about: str, other: str) -> Target:
    key = about.split("/", 2)
    row = site.store.get(MARK, *key) if len(key) == 3 else None
    if row is None or not row.value.open:
        raise Refusal("no_such_mark")
    mark = row.value
    if mark.sign == "match" and decidable(site, *_match_of(mark)):
        raise Refusal("match_waits")
    return Target(about, "", (mark.member, *((MemberId(mark.about),) if mark.about and "/" not in mark.about else ())))


def _match_of(mark: Mark) -> tuple[str, int]:
    """The match that waits for moderators: its tournament and number."""
    cup, _, number = mark.about.rpartition("/")
    return cup, int(number)


def _dismiss_report(site: Site, about: str, other: str) -> Target:
    kind, _, rest = about.partition("/")
    subject, _, by = rest.rpartition("/")
    row = site.store.get(REPORT, kind, subject, by)
    if row is None or not row.value.open:
        raise Refusal("no_such_mark")
    return Target(about, "", _reported(site, kind, subject))


def _reported(site: Site, kind: str, subject: str) -> tuple[MemberId, ...]:
    """Whom a report speaks of: the member, or who wrote the doctrine or the text."""
    if kind != "text":
        return (person(MemberId(subject)),)
    siege, row = siege_texts.public_text(site, subject)
    writer = siege_texts.author(siege, row.value)
    return (writer,) if writer else ()


def _decide_match(site: Site, about: str, other: str) -> Target:
    tournament = tournament_row(site, about).value
    number, _, winner = other.partition("/")
    if not (number.isdecimal() and number.isascii() and int(number) < len(tournament.matches)):
        raise Refusal("not_found")
    match = tournament.matches[int(number)]
    if match.one is None or match.other is None or winner not in (match.one, match.other, ""):
        raise Refusal("not_found")
    if not decidable(site, about, int(number)):
        raise Refusal("match_goes_on")
    return Target(about, other, (match.one, match.other))


def decidable(site: Site, tournament: str, number: int) -> bool:
    """Whether a moderator may name who goes on: the match was stopped, or has gone on for over five days."""
    cup = tournament_row(site, tournament).value
    match = cup.matches[number]
    duel = site.store.get(DUEL, match.duel) if match.duel else None
    stopped = duel is not None and duel.value.result is not None and duel.value.result.by == "stopped"
    return not match.decided and (stopped or playing.late(cup, number, site.sources.now()))


def _unpark(site: Site, about: str, other: str) -> Target:
    row = site.store.get(JOB, about)
    if row is None or not row.value.parked:
        raise Refusal("no_such_job")
    return Target(about)


def _appoint(site: Site, about: str, other: str) -> Target:
    return Target(_member(site, about).id)


def _member(site: Site, id: str) -> Member:
    row = site.store.get(MEMBER, id)
    if row is None or row.value.deleted:
        raise Refusal("no_such_member")
    return row.value


TARGETS: Final[Mapping[str, Callable[[Site, str, str], Target]]] = {
    "stop": _stop,
    "stop_siege": _stop_siege,
    "void": _void,
    "remove_front": _remove_front,
    "hide_doctrine": _hide_doctrine,
    "hide_name": _hide_name,
    "hide_text": _hide_text,
    "freeze": _freeze,
    "unfreeze": _unfreeze,
    "link": _link,
    "unlink": _unlink,
    "dismiss": _dismiss,
    "dismiss_report": _dismiss_report,
    "decide_match": _decide_match,
    "unpark": _unpark,
    "appoint": _appoint,
    "dismiss_moderator": _appoint,
}
