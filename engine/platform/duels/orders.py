"""Orders: taken as a whole or refused as a whole; the last one in closes the turn (P6, P11)."""

from dataclasses import dataclass, replace

from engine.decisions import Decision, Json, Put
from engine.errors import Refusal
from engine.games import registry
from engine.platform.clocks import Ground
from engine.platform.duels.closing import awaited, close
from engine.platform.duels.receipts import commit_to
from engine.platform.duels.records import SUBMISSIONS, Duel, DuelId, Player, Sheet, Turn
from engine.platform.fair_play.findings import is_full
from engine.platform.members import MemberId
from engine.times import Instant


@dataclass(frozen=True, slots=True)
class SubmitOrders:
    """A member sends orders for a turn. `received` is when they reached the gateway, `request` names the form."""

    duel: DuelId
    member: MemberId
    turn: int
    orders: object
    request: str
    received: Instant


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the member gets back: their sheet as kept, and whether it closed the turn."""

    turn: int
    sheet: Sheet
    closed: bool


def submit(duel: Duel, was: int, played: Turn | None, command: SubmitOrders, ground: Ground) -> Decision[Receipt]:
    """Seal the member's orders for the turn in play; if nobody else is awaited the turn is resolved.

    `played` is the record of the command's turn, if that is over. Refused: `not_playing`, `turn_over`, `closed`,
    `not_awaited`, `too_many_submissions`, and `illegal_orders` with every problem of the sheet (F10).
    """
    player = duel.player(command.member)
    if player is None:
        raise Refusal("not_playing")
    known = _already(player, played, command)
    if known is not None:
        return Decision((), known)
    _refuse_late(duel, player, command, ground)
    game = registry.game(duel.game)
    state = game.load(duel.state or {})
    problems = game.judge(game.view(state, player.seat), command.orders)
    if problems:
        raise Refusal("illegal_orders", problems)
    sheet = _seal(duel, player, game.write(game.parse(command.orders)), command)
    sent = replace(duel, players=tuple(_with(p, sheet) if p is player else p for p in duel.players))
    if all(p.sheet is not None for p in awaited(sent)):
        closed = close(sent, was, "sent", ground.now)
        return Decision(closed.changes, Receipt(command.turn, sheet, closed=True))
    return Decision((Put(sent, was),), Receipt(command.turn, sheet, closed=False))


def answer(duel: Duel, was: int, turn: int, orders: Json, ground: Ground) -> Decision[bool]:
    """Send the computer's orders, thought of since the turn opened, if that turn still waits for them; whether it did.

    Like a member's they count if they are made by the deadline.
    """
    player = next((p for p in awaited(duel) if p.policy is not None and p.sheet is None), None)
    if duel.stage != "playing" or duel.turn != turn or player is None or duel.deadline is None:
        return Decision((), answer=False)
    if ground.now > duel.deadline:
        return Decision((), answer=False)
    sheet = Sheet(orders, 1, ground.now, commit_to(duel.seed, turn, player.seat, 1, orders), (), "ai")
    sent = replace(duel, players=tuple(_with(p, sheet) if p is player else p for p in duel.players))
    if all(p.sheet is not None for p in awaited(sent)):
        return Decision(close(sent, was, "sent", ground.now).changes, answer=True)
    return Decision((Put(sent, was),), answer=True)


def _already(player: Player, played: Turn | None, command: SubmitOrders) -> Receipt | None:
    sealed = player.sheet if played is None else played.sheets.get(player.seat)
    if sealed is not None and command.request in sealed.requests:
        return Receipt(command.turn, sealed, closed=played is not None)
    return None


def _refuse_late(duel: Duel, player: Player, command: SubmitOrders, ground: Ground) -> None:
    if duel.stage != "playing" or command.turn != duel.turn or duel.deadline is None:
        raise Refusal("turn_over", turn=command.turn)
    live = registry.game(duel.game).SPEC.paces[duel.pace].live
    out = ground.outage(duel.deadline, live) is not None or ground.adrift(duel.deadline, live)
    if command.received > duel.deadline and (live or not out):
        raise Refusal("closed", turn=command.turn)
    if player not in awaited(duel):
        raise Refusal("not_awaited")
    if player.sheet is not None and player.sheet.number >= SUBMISSIONS:
        raise Refusal("too_many_submissions", most=SUBMISSIONS)


def _seal(duel: Duel, player: Player, orders: Json, command: SubmitOrders) -> Sheet:
    number = player.sheet.number + 1 if player.sheet else 1
    requests = (*(player.sheet.requests if player.sheet else ()), command.request)
    bound = commit_to(duel.seed, duel.turn, player.seat, number, orders)
    before = player.sheet.full if player.sheet else None
    full = command.received if before is None and is_full(orders) else before
    return Sheet(orders, number, command.received, bound, requests, full=full)


def _with(player: Player, sheet: Sheet) -> Player:
    return replace(player, sheet=sheet)
