"""Games against a game's own computer player: unrated, begun at once (P14b)."""

from engine.decisions import Decision
from engine.platform.duels.records import Duel
from engine.platform.duels.solo import Solo, play, solo_id
from engine.platform.members import MemberId
from functions.acting import act
from functions.names import RIVAL
from infra.records import DUEL
from infra.site import Site


def begin(site: Site, wanted: Solo, request: str) -> Duel:
    """The game that this request makes, once."""
    id, seed = solo_id("practice", wanted.member, request), site.sources.seed()

    def decide() -> Decision[Duel]:
        there = site.store.get(DUEL, id)
        return Decision((), there.value) if there else play(id, wanted, seed, site.sources.now())

    return act(site, decide)


def rival(game: str, level: str) -> MemberId:
    """The id that a game's computer player of this level has in duels."""
    return MemberId(f"{RIVAL}{game}:{level}")


def again(duel: Duel, member: MemberId) -> Solo | None:
    """The same game against the computer once more, with seats drawn anew; None for any other duel."""
    other = next((p for p in duel.players if p.policy is not None and p.member.startswith(RIVAL)), None)
    if other is None or other.policy is None or duel.player(member) is None:
        return None
    return Solo("practice", duel.pace, member, other.member, other.policy, options=duel.options, game=duel.game)
