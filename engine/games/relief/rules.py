"""The rules on whole states: legal moves with their sums, one move played, move sequences counted."""

from dataclasses import replace
from typing import NamedTuple

from engine.games.protocol import Outcome
from engine.games.relief.cells import OFF, PASS, move_name
from engine.games.relief.pieces import NOBODY, SIDES, letter_of, paired
from engine.games.relief.position import RUNNING, Position
from engine.games.relief.state import ENDS, State, place_key, points_of, position_of


class Legal(NamedTuple):
    """A legal move, its text, and both sums of its attack (L7; None: it attacks nothing)."""

    move: int
    name: str
    attack: tuple[int, int] | None


class Played(NamedTuple):
    """What a move did: the letters that moved and that was captured ("" for none), both sums, whether it left."""

    piece: str
    victim: str
    attack: tuple[int, int] | None
    left: bool


def legal(state: State) -> tuple[Legal, ...]:
    """Every legal move in the order of their texts (L3–L8); none once the game has ended."""
    if state.outcome:
        return ()
    position = position_of(state)
    moves = [Legal(move, move_name(move), position.sums(move)) for move in position.moves()]
    return tuple(sorted(moves, key=lambda one: one.name))


def play(state: State, move: int) -> tuple[State, Played]:
    """The state after a legal move, with its end if it ends the game (L9–L13), and what the move did."""
    position = position_of(state)
    done = _told(position, move)
    exited = state.exited
    if done.left:
        exited = (exited[0] + done.piece, exited[1]) if position.side == 0 else (exited[0], exited[1] + done.piece)
    position.make(move)
    moved = replace(
        state,
        where=paired(position.where),
        to_move=SIDES[position.side],
        exited=exited,
        ply=position.ply,
        last=move,
    )
    positions = {key_of(state): 1, **state.positions}
    met = positions.get(key_of(moved), 0) + 1
    positions[key_of(moved)] = met
    how, winner = position.verdict(met)
    outcome = None if how == RUNNING else Outcome(None if winner < 0 else SIDES[winner], ENDS[how])
    return replace(moved, positions=positions, outcome=outcome), done


def perft(state: State, depth: int) -> int:
    """The number of move sequences of exactly that many moves; those that end the game earlier don't count."""
    if depth <= 0:
        return 1
    if state.outcome:
        return 0
    moves = position_of(state).moves()
    return len(moves) if depth == 1 else sum(perft(play(state, move)[0], depth - 1) for move in moves)


def key_of(state: State) -> str:
    """The key under which the state's position is counted (L12)."""
    return place_key(state.where, state.to_move, points_of(state))


def _told(position: Position, move: int) -> Played:
    if move == PASS:
        return Played("", "", None, left=False)
    start, end = move >> 7, move & 127
    victim = NOBODY if end == OFF else position.at[end]
    return Played(
        letter_of(position.at[start]),
        "" if victim == NOBODY else letter_of(victim),
        position.sums(move),
        left=end == OFF,
    )
