"""What may be seen of a game: a side's own view (F20), the public's, and everything once it is over (F24)."""

from dataclasses import dataclass

from engine.games.feinthold.layouts import SIDES
from engine.games.feinthold.sight import presence
from engine.games.feinthold.state import End, Seen, Seven, State


@dataclass(frozen=True, slots=True)
class SideView:
    """What one side sees (F20). `presence` is -1 where it sees nothing, else 0 or 1 (F21)."""

    layout: int
    turn: int
    side: int
    flags: Seven
    units: Seven
    decoys: Seven
    points: int
    income: int
    predictions: int
    combats: int
    presence: Seven
    last: tuple[Seen | None, ...]
    end: End | None


@dataclass(frozen=True, slots=True)
class PublicView:
    """What everybody may know: the turn and, at the end, the map and how it ended (P14)."""

    layout: int | None
    turn: int
    end: End | None


@dataclass(frozen=True, slots=True)
class WholeView:
    """Everything, for a replay."""

    state: State


View = SideView | PublicView | WholeView


def view(state: State, eyes: str) -> View:
    """What these eyes see of the state: "a", "b", "public" or "all"; ValueError for any others."""
    if eyes in SIDES:
        return side_view(state, SIDES.index(eyes))
    if eyes == "public":
        return PublicView(state.layout if state.end else None, state.turn, state.end)
    if eyes == "all":
        return WholeView(state)
    raise ValueError(f"no such eyes: {eyes}")


def side_view(state: State, side: int) -> SideView:
    """What this side sees of the state (F20–F22)."""
    return SideView(
        layout=state.layout,
        turn=state.turn,
        side=side,
        flags=state.flags,
        units=state.units[side],
        decoys=state.decoys[side],
        points=state.points[side],
        income=state.income[side],
        predictions=state.predictions[side],
        combats=state.combats[side],
        presence=presence(state.layout, side, state.flags, state.units, state.decoys),
        last=state.seen[side],
        end=state.end,
    )


def players(view: View) -> SideView:
    """The view as a player's; ValueError for the public's or a replay's, from which nobody gives orders."""
    if not isinstance(view, SideView):
        raise ValueError("only a side gives orders")
    return view
