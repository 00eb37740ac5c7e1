"""Another game between the same two (P14b)."""

from typing import Final

from engine.errors import Refusal
from engine.games import registry
from engine.platform.doctrines import is_doctrine
from engine.platform.duels import leaving, propose
from engine.platform.duels.records import Duel, DuelId
from engine.platform.members import MemberId
from functions import lists, proposing
from infra.records import DUEL
from infra.site import Site

TIMES: Final = 12  # how often the rematch of one game can be asked for, each time after the last came to nothing


def again(site: Site, duel: Duel, member: MemberId, *, here: bool = False) -> Duel:
    """The rematch: the opponent's proposal accepted, or one's own, made anew once the last has come to nothing.

    `here` as in `proposing.accept`.
    Refused as `proposing.make` and `proposing.accept` do, and `not_playing`; `not_found` against a doctrine.
    """
    other = duel.opponent(member)
    if duel.player(member) is None or other is None:
        raise Refusal("not_playing")
    if is_doctrine(other):
        raise Refusal("not_found")
    wanted = _wanted(duel, member, other, 0)
    for time in range(TIMES):
        theirs = _there(site, _wanted(duel, other, member, time))
        if theirs is not None and theirs.stage == "proposed":
            return proposing.accept(site, theirs.id, member, here=here)
        wanted = _wanted(duel, member, other, time)
        mine = _there(site, wanted)
        for found in (theirs, mine):
            if found is not None and (found.stage == "proposed" or found.accepted is not None):
                return found
        if theirs is None and mine is None:
            break
    return proposing.make(site, wanted)


def asked(site: Site, duel: Duel, member: MemberId) -> DuelId | None:
    """The rematch that the opponent has asked for and that waits for this member's answer; one query."""
    other = duel.opponent(member)
    if other is None:
        return None
    ids = {propose.duel_id(_wanted(duel, other, member, time)) for time in range(TIMES)}
    rows = lists.games(site, member, "invited")[0]
    return next((row.duel for row in rows if row.duel in ids), None)


def _wanted(duel: Duel, member: MemberId, other: MemberId, time: int) -> propose.Propose:
    options = duel.options if registry.game(duel.game).SPEC.friendly else {}
    request = leaving.rematch_request(duel.id, time)
    return propose.Propose(member, duel.game, duel.pace, other, request, options=options)


def _there(site: Site, wanted: propose.Propose) -> Duel | None:
    row = site.store.get(DUEL, propose.duel_id(wanted))
    return row.value if row else None
