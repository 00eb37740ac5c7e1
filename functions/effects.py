"""What moderators' acts do, and undo: each effect once, however often its job runs (P29)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from engine.decisions import Decision, Put
from engine.platform import daily_front, doctrines, linking, marks, members
from engine.platform.duels import closing, propose, settling
from engine.platform.duels.records import Result
from engine.platform.local_days import month_of
from engine.platform.members import MemberId
from engine.platform.moderation.records import MODERATOR, Act
from engine.platform.tournaments import playing
from engine.platform.tournaments.playing import Verdict
from engine.platform.tournaments.records import Match
from functions import (
    challenge_ratings,
    duel_ratings,
    duel_stakes,
    fair_play,
    fronts,
    renaming,
    reports,
    siege_texts,
    sieges,
    winding_up,
)
from functions.acting import act, duel_row
from functions.linking import pair
from functions.tournaments import debts, tournament_row
from infra.records import (
    ACT,
    CONTENDER,
    FORFEIT,
    FRONT_GAME,
    HALT,
    JOB,
    MARK,
    MEMBER,
    RATED,
    REPORT,
)
from infra.site import Site
from infra.store import Conflict

STOPPED: Final = Result(None, "stopped")

Effect = Callable[[Site, Act], None]


class NotSettled(Exception):
    """The game's own consequences are still on their way: its voiding is tried again after them."""


def carry_out(site: Site, taken: Act) -> None:
    """Do what the act asks for, or undo it if it was judged so; and enter that it is done."""
    effect = (UNDO if taken.state == "undone" else DO).get(taken.what)
    if effect is not None:
        effect(site, taken)

    def decide() -> Decision[None]:
        row = site.store.get(ACT, taken.id)
        if row is None or row.value.carried:
            return Decision((), None)
        return Decision((Put(replace(row.value, carried=True), row.version),), None)

    act(site, decide)


def _stop(site: Site, taken: Act) -> None:
    """The game ends without result; a proposal is taken off the table. Stakes go back (P29)."""

    def decide() -> Decision[Any]:
        row, now = duel_row(site, taken.about), site.sources.now()
        if row.value.stage in ("ready", "playing"):
            return closing.end(row.value, row.version, STOPPED, now)
        if row.value.stage == "proposed":
            return propose.withdraw(row.value, row.version, row.value.proposer, now)
        return Decision((), None)

    act(site, decide)


def _stop_siege(site: Site, taken: Act) -> None:
    """The siege ends without honours; every fee comes back (P21b, P29)."""
    sieges.stop(site, taken.about)


def _void(site: Site, taken: Act) -> None:
    """A duel that is over counts no more: ratings and stakes go back in one transaction (P16, P17c)."""
    _again(site, taken, voided=True)
    fair_play.forget_gain(site, duel_row(site, taken.about).value)


def _unvoid(site: Site, taken: Act) -> None:
    _again(site, taken, voided=False)


def _again(site: Site, taken: Act, *, voided: bool) -> None:
    number = int(taken.id, 16)  # names the voiding for ever

    def decide() -> Decision[None]:
        row = duel_row(site, taken.about)
        duel = replace(row.value, voided=voided)
        if row.value.stage != "ended" or row.value.voided == voided:
            return Decision((), None)
        if duel.kind == "challenge":
            if not challenge_ratings.is_settled(site, duel):
                raise NotSettled
            moved = (challenge_ratings.take_back if voided else challenge_ratings.give_again)(site, duel)
        elif site.store.get(RATED, duel.id) is None:
            raise NotSettled
        elif duel_stakes.put_off(site, duel):
            raise Conflict(HALT.name)  # it waits like the payout that it is to take back, or would leave to the winner
        elif voided:
            moved = (*duel_ratings.take_back(site, duel.id), *duel_stakes.take_back(site, duel, number))
        else:
            moved = (*duel_ratings.give_again(site, duel.id), *duel_stakes.give_again(site, duel, number))
        return Decision((Put(duel, row.version), *settling.settle(duel).changes, *moved), None)

    act(site, decide)


def _remove_front(site: Site, taken: Act) -> None:
    _front(site, taken, remove=True)


def _restore_front(site: Site, taken: Act) -> None:
    _front(site, taken, remove=False)


def _front(site: Site, taken: Act, *, remove: bool) -> None:
    duel = duel_row(site, taken.about).value
    member = duel.members[0].member

    def decide() -> Decision[None]:
        entry = site.store.get(FRONT_GAME, duel.front, member)
        if entry is None or entry.value.game != duel.id:
            return Decision((), None)
        monthly = fronts.points_of(site, month_of(duel.front), member)
        return daily_front.remove(entry, monthly, "removed") if remove else daily_front.restore(entry, monthly)

    act(site, decide)


def _hide_doctrine(site: Site, taken: Act) -> None:
    _hidden(site, taken, hidden=True)
    reports.close_all(site, "doctrine", taken.about)


def _show_doctrine(site: Site, taken: Act) -> None:
    _hidden(site, taken, hidden=False)


def _hidden(site: Site, taken: Act, *, hidden: bool) -> None:
    def decide() -> Decision[None]:
        row = site.store.get(CONTENDER, taken.about)
        return doctrines.hide(row, hidden, site.sources.now(), site.settings.zone) if row else Decision((), None)

    act(site, decide)


def _hide_name(site: Site, taken: Act) -> None:
    renaming.hide(site, MemberId(taken.about), taken.other)


def _show_name(site: Site, taken: Act) -> None:
    renaming.restore(site, MemberId(taken.about), taken.other)


def _freeze(site: Site, taken: Act) -> None:
    """Ratings stand still from now on; a job ends what is under way."""

    def decide() -> Decision[None]:
        row, now = site.store.get(MEMBER, taken.about), site.sources.now()
        if row is None or row.value.frozen is not None:
            return Decision((), None)
        job = winding_up.first("freeze", row.value.id, {"act": taken.id}, now)
        return Decision((Put(members.freeze(row.value, now, taken.id), row.version), Put(job, None)), None)

    act(site, decide)


def _unfreeze(site: Site, taken: Act) -> None:
    def decide() -> Decision[None]:
        row = site.store.get(MEMBER, taken.about)
        if row is None or row.value.frozen is None:
            return Decision((), None)
        return Decision((Put(members.unfreeze(row.value, site.sources.now()), row.version),), None)

    act(site, decide)


def _undo_freeze(site: Site, taken: Act) -> None:
    """Ratings move again, unless a later act froze them, and the points of matches lost by the freeze come back.

    Who forfeits by a freeze holds the member as frozen by it: once the ratings move, no forfeit is added any more.
    """

    def decide() -> Decision[None]:
        row = site.store.get(MEMBER, taken.about)
        if row is None or row.value.frozen_by != taken.id:
            return Decision((), None)
        return Decision((Put(members.unfreeze(row.value, site.sources.now()), row.version),), None)

    act(site, decide)
    after = ""
    while True:
        page = site.store.query(FORFEIT, "", taken.id, limit=20, after=after)
        for row in page.rows:
            duel = row.value.duel
            if site.store.get(RATED, duel) is None:
                raise NotSettled
            act(site, lambda duel=duel: Decision(duel_ratings.forget(site, duel), None))  # type: ignore[misc]
        after = page.after
        if not after:
            return


def _link(site: Site, taken: Act) -> None:
    pairing = MemberId(taken.about), MemberId(taken.other)
    act(
        site,
        lambda: Decision(linking.link(pair(site, *pairing), linking.MODERATORS, site.sources.now()), None),
    )


def _unlink(site: Site, taken: Act) -> None:
    pairing = MemberId(taken.about), MemberId(taken.other)
    act(site, lambda: Decision(linking.unlink(pair(site, *pairing), site.sources.now()), None))


def _dismiss(site: Site, taken: Act) -> None:
    key = taken.about.split("/", 2)
    act(site, lambda: Decision(marks.dismiss(site.store.get(MARK, *key)), None))


def _dismiss_report(site: Site, taken: Act) -> None:
    about, rest = taken.about.split("/", 1)
    subject, by = rest.rsplit("/", 1)
    row = site.store.get(REPORT, about, subject, by)
    if row is not None and row.value.at <= taken.at:
        reports.close(site, row.value)


def _decide_match(site: Site, taken: Act) -> None:
    """A moderator names who goes on, or nobody: a game that still runs ends without result (P20, P21)."""
    number, _, winner = taken.other.partition("/")
    match = tournament_row(site, taken.about).value.matches[int(number)]
    act(site, lambda: Decision(marks.dismiss(site.store.get(MARK, *_waiting(taken, match))), None))
    if match.decided:
        return
    if match.duel is not None:
        _stop(site, replace(taken, about=match.duel))

    def decide() -> Decision[Any]:
        row = tournament_row(site, taken.about)
        verdict = Verdict(MemberId(winner) if winner else None, "moderators" if winner else "nobody")
        owed = debts(site, row.value.entrants)
        return playing.advance(row.value, row.version, int(number), verdict, owed, site.sources.now())

    act(site, decide)


def _waiting(taken: Act, match: Match) -> tuple[str, str, str]:
    """The key of the mark by which the match stands in the queue."""
    return min(match.one or "", match.other or ""), "match", f"{taken.about}/{match.number}"


def _unpark(site: Site, taken: Act) -> None:
    def decide() -> Decision[None]:
        row = site.store.get(JOB, taken.about)
        if row is None or not row.value.parked:
            return Decision((), None)
        return Decision((Put(replace(row.value, parked=False, tries=0, due=site.sources.now()), row.version),), None)

    act(site, decide)


def _appoint(site: Site, taken: Act) -> None:
    _role(site, taken, held=True)


def _dismiss_moderator(site: Site, taken: Act) -> None:
    _role(site, taken, held=False)


def _role(site: Site, taken: Act, *, held: bool) -> None:
    def decide() -> Decision[None]:
        row = site.store.get(MEMBER, taken.about)
        if row is None or (MODERATOR in row.value.roles) == held:
            return Decision((), None)
        others = tuple(role for role in row.value.roles if role != MODERATOR)
        roles = (*others, MODERATOR) if held else others
        return Decision((Put(replace(row.value, roles=roles), row.version),), None)

    act(site, decide)


DO: Final[Mapping[str, Effect]] = {
    "stop": _stop,
    "stop_siege": _stop_siege,
    "void": _void,
    "remove_front": _remove_front,
    "hide_doctrine": _hide_doctrine,
    "hide_name": _hide_name,
    "hide_text": siege_texts.hide,
    "freeze": _freeze,
    "unfreeze": _unfreeze,
    "link": _link,
    "unlink": _unlink,
    "dismiss": _dismiss,
    "dismiss_report": _dismiss_report,
    "decide_match": _decide_match,
    "unpark": _unpark,
    "appoint": _appoint,
    "dismiss_moderator": _dismiss_moderator,
}
UNDO: Final[Mapping[str, Effect]] = {
    "void": _unvoid,
    "remove_front": _restore_front,
    "hide_doctrine": _show_doctrine,
    "hide_name": _show_name,
    "hide_text": siege_texts.show,
    "freeze": _undo_freeze,
    "link": _unlink,
    "unlink": _link,
}
