"""Views as JSON: the spec's V for a side."""

from collections.abc import Mapping
from typing import Any, Final

from engine.games.feinthold.layouts import HQ, NEIGHBOURS, POSITIONS, SIDES
from engine.games.feinthold.reading import Reader, counts_json, end_json, flags_json, memory_json
from engine.games.feinthold.sight import UNSEEN
from engine.games.feinthold.state import Seven
from engine.games.feinthold.state_json import write_state
from engine.games.feinthold.views import PublicView, SideView, View

KEYS: Final = (
    "layout", "turn", "side", "flags", "units", "decoys", "points", "income", "predictions", "combats", "presence",
    "last", "outcome",
)  # fmt: skip

_read: Final = Reader("bad_view")


def show(view: View) -> Mapping[str, Any]:
    """A view as JSON: V for a side; S for "all"; layout (null while it runs), turn and outcome for the public."""
    if isinstance(view, SideView):
        return _show_side(view)
    if isinstance(view, PublicView):
        return {"layout": view.layout, "turn": view.turn, "outcome": end_json(view.end)}
    return write_state(view.state)


def read_view(raw: object) -> SideView:
    """The view of a spec's V; Malformed (`bad_view`, with the path) unless the rules could have made it."""
    table = _read.table(raw, KEYS, "")
    layout, turn = _read.layout(table["layout"], "layout"), _read.turn(table["turn"], "turn")
    side, flags = _read.side(table["side"], "side"), _read.flags(table["flags"], "flags")
    view = SideView(
        layout=layout,
        turn=turn,
        side=side,
        flags=flags,
        units=_read.counts(table["units"], "units"),
        decoys=_read.counts(table["decoys"], "decoys"),
        points=_read.number(table["points"], "points"),
        income=_read.number(table["income"], "income"),
        predictions=_read.number(table["predictions"], "predictions"),
        combats=_read.number(table["combats"], "combats"),
        presence=_presence(table["presence"]),
        last=_read.memory(table["last"], turn, "last"),
        end=_read.outcome(table["outcome"], flags, "outcome"),
    )
    _stand(view)
    return view


def _show_side(view: SideView) -> Mapping[str, Any]:
    return {
        "layout": view.layout,
        "turn": view.turn,
        "side": SIDES[view.side],
        "flags": flags_json(view.flags),
        "units": counts_json(view.units),
        "decoys": counts_json(view.decoys),
        "points": view.points,
        "income": view.income,
        "predictions": view.predictions,
        "combats": view.combats,
        "presence": {POSITIONS[at]: bool(seen) for at, seen in enumerate(view.presence) if seen != UNSEEN},
        "last": memory_json(view.last),
        "outcome": end_json(view.end),
    }


def _presence(raw: object) -> Seven:
    seen = [UNSEEN] * 7
    for at, value in _read.places(raw, "presence").items():
        _read.require(isinstance(value, bool), f"presence.{POSITIONS[at]}")
        seen[at] = int(value is True)
    return tuple(seen)


def _stand(view: SideView) -> None:
    own, enemy = view.side, 1 - view.side
    near = NEIGHBOURS[view.layout]
    for at, name in enumerate(POSITIONS):
        _read.require(not view.units[at] or view.flags[at] == own, f"units.{name}")
        _read.require(not view.decoys[at] or view.flags[at] != enemy, f"decoys.{name}")
        watched = view.flags[at] != own and any(q == HQ[own] or view.units[q] for q in near[at])
        _read.require(watched == (view.presence[at] != UNSEEN), f"presence.{name}")
