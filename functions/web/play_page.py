"""What a game's own page shows; its forms are answered here and on the duels page, which brings refused ones back."""

from collections.abc import Mapping
from typing import Any, Final

from engine.games import registry
from engine.games.protocol import Spec
from engine.platform.duels import propose
from engine.platform.duels.records import Duel
from engine.platform.members import MemberId
from functions import lists
from functions.names import names_of
from functions.web.visit import Visit
from infra.records import DUEL

TEMPLATE: Final = "pages/play.html"
SHOWN: Final = 5
WAYS: Final = ("computer", "ranked", "friend", "named")  # its forms


def spec_of(game: str) -> Spec | None:
    """A game with a page of its own: one that its computer plays too."""
    spec = registry.game(game).SPEC if game in registry.DUELS else None
    return spec if spec is not None and spec.rivals else None


def places() -> list[dict[str, Any]]:
    """The games, each with the page it is played from and whether guests play it; none is imported for it."""
    return [_place(name) for name in (*registry.DUELS, *registry.FORUMS)]


def unhurried(spec: Spec) -> str:
    """The slowest pace: against the computer nobody waits."""
    return max(spec.paces, key=lambda name: spec.paces[name].turn)


def page(visit: Visit, spec: Spec, problems: Any = ()) -> dict[str, Any]:
    """What the page shows; `problems` are those of a form just refused."""
    site, member = visit.site, visit.member
    rows = site.store.query(DUEL, "open", spec.name, limit=SHOWN).rows
    watched = lists.under_way(site, spec.name, SHOWN)
    people = {row.value.proposer for row in rows} | {p.member for duel in watched for p in duel.players}
    names = names_of(site, people, member, visit.lang)
    filled = {
        "way": "",
        "level": next(iter(spec.rivals)),
        "pace": "",
        "seat": "",
        "opponent": visit.query.get("to", ""),
    }
    return {
        "game": spec.name,
        "seats": spec.seats,
        "paces": propose.paces_of(spec.name),
        "unhurried": unhurried(spec),
        "live": [name for name, pace in spec.paces.items() if pace.live],
        "slow": [name for name, pace in spec.paces.items() if not pace.live],
        "options": spec.options,
        "levels": tuple(spec.rivals),
        "guests": spec.guests,
        "proposals": [lists.duel_line(row.value, member.id if member else None, names) for row in rows],
        "under_way": [_watched(duel, names) for duel in watched],
        "form": {**filled, **visit.form.typed},
        "request": site.sources.id(),
        "problems": problems,
        "now": visit.received,
    }


def _place(name: str) -> dict[str, Any]:
    path = "/sieges" if name in registry.FORUMS else f"/play/{name}" if name in registry.RIVALLED else "/duels"
    return {"game": name, "path": path, "guests": name in registry.GUESTS}


def _watched(duel: Duel, names: Mapping[MemberId, str]) -> dict[str, Any]:
    players = [{"seat": p.seat, "name": names.get(p.member, "")} for p in duel.players]
    return {"id": duel.id, "pace": duel.pace, "turn": duel.turn, "players": players, "begun": duel.begun}
