"""When players were last heard of: a live game is lost by who leaves it (L14), a page being looked at needs no mail."""

from contextlib import suppress

from engine.decisions import Decision, Put
from engine.games import registry
from engine.platform.duels.absence import NOTED_EVERY, Seen
from engine.platform.duels.records import Duel, Player, Presence
from infra.records import PRESENCE
from infra.site import Site
from infra.store import StoreError


def seen(site: Site, duel: Duel) -> Seen:
    """When something of the duel was last asked for by each of its players; one query."""
    rows = site.store.query(PRESENCE, "", duel.id, limit=len(duel.players)).rows
    return {row.value.member: row.value.at for row in rows}


def note(site: Site, duel: Duel, you: Player | None, known: Seen, beat: bool = False) -> None:
    """A player asked for something of the duel: any request counts in a live game, else only a page's own (`beat`).

    Requests close to each other are noted once. A store that is busy costs this sign of life, never what was asked for.
    """
    if you is None or duel.stage not in ("ready", "playing") or not (beat or watched(duel)):
        return
    now = site.sources.now()
    last = known.get(you.member)
    if last is None or now - last >= NOTED_EVERY:
        with suppress(StoreError):
            site.store.commit(Decision((Put(Presence(duel.id, you.member, now), None),), None))


def watched(duel: Duel) -> bool:
    """Whether who leaves this game loses it."""
    return registry.game(duel.game).SPEC.paces[duel.pace].absence is not None
