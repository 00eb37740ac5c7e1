"""Orders and the texts that go with them: taken as a whole or refused as a whole (P6, T5, T7, T16)."""

from dataclasses import dataclass, replace

from engine.decisions import Change, Decision, Json, Kept, Put, was
from engine.errors import Problem, Refusal
from engine.games import registry
from engine.platform.clocks import Ground
from engine.platform.local_days import day_of
from engine.platform.members import MemberId
from engine.platform.sieges.playing import close, complete, depart
from engine.platform.sieges.records import (
    LONGEST_TEXT,
    SUBMISSIONS,
    Player,
    Post,
    Sheet,
    Siege,
    SiegeTurn,
    dated,
    prelude_id,
)
from engine.times import Instant


@dataclass(frozen=True, slots=True)
class SendOrders:
    """A member sends orders for a turn, and perhaps a text with them; `follow`: the text is still to come (T5).

    `received` is when they reached the gateway, `request` names the form. A `text` of None leaves the one sent before.
    """

    member: MemberId
    turn: int
    orders: object
    text: str | None
    follow: bool
    request: str
    received: Instant


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the member gets back: their sheet as kept, and whether it closed the turn."""

    turn: int
    sheet: Sheet
    closed: bool


def send(
    siege: Siege,
    version: int,
    played: SiegeTurn | None,
    prelude: Kept[Post] | None,
    command: SendOrders,
    ground: Ground,
) -> Decision[Receipt]:
    """Keep the member's orders for the turn in play; the last ones in resolve it.

    `played` is the record of the command's turn if that is over, `prelude` the text that goes with the orders so far.
    Refused: `not_playing`, `turn_over`, `closed`, `not_awaited`, `too_many_submissions`, and `illegal_orders` with
    every problem of the orders and of the text (`text_long`).
    """
    player = siege.player(command.member)
    if player is None or not player.seat:
        raise Refusal("not_playing")
    known = _already(player, played, command)
    if known is not None:
        return Decision((), known)
    _refuse_late(siege, player, command, ground)
    orders = _read(siege, player, command)
    texts = _texts(siege, player, prelude, command)
    sheet = _seal(siege, player, orders, prelude, command)
    sent = replace(siege, players=tuple(replace(p, sheet=sheet) if p is player else p for p in siege.players))
    if complete(sent):
        closed = close(sent, version, "sent", ground.now)
        return Decision((*closed.changes, *texts), Receipt(command.turn, sheet, closed=True))
    return Decision((Put(sent, version), *texts), Receipt(command.turn, sheet, closed=False))


def leave(siege: Siege, version: int, member: MemberId, now: Instant) -> Decision[Siege]:
    """Leave the running game (T5). Refused: `not_playing`, `game_over`."""
    player = siege.player(member)
    if player is None:
        raise Refusal("not_playing")
    if player.left is not None:
        return Decision((), siege)
    if siege.stage != "playing" or siege.out(player):
        raise Refusal("game_over")
    return depart(siege, version, player, "left", now)


def _already(player: Player, played: SiegeTurn | None, command: SendOrders) -> Receipt | None:
    sealed = player.sheet if played is None else played.sheets.get(player.seat)
    if sealed is not None and command.request in sealed.requests:
        return Receipt(command.turn, sealed, closed=played is not None)
    return None


def _refuse_late(siege: Siege, player: Player, command: SendOrders, ground: Ground) -> None:
    if siege.stage != "playing" or command.turn != siege.turn or siege.deadline is None:
        raise Refusal("turn_over", turn=command.turn)
    moves = ground.outage(siege.deadline, live=False) is not None or ground.adrift(siege.deadline, live=False)
    if command.received > siege.deadline and not moves:
        raise Refusal("closed", turn=command.turn)
    if player.seat not in siege.awaits:
        raise Refusal("not_awaited")
    if player.sheet is not None and player.sheet.number >= SUBMISSIONS:
        raise Refusal("too_many_submissions", most=SUBMISSIONS)


def _read(siege: Siege, player: Player, command: SendOrders) -> Json:
    """The orders in canonical form; what is wrong with the text is told together with what is wrong with them."""
    text = command.text or ""
    found = (Problem("text_long", field="text", detail={"most": LONGEST_TEXT}),) if len(text) > LONGEST_TEXT else ()
    game = registry.game(siege.game)
    problems = game.judge(game.view(game.load(siege.state or {}), player.seat), command.orders)
    if problems or found:
        raise Refusal("illegal_orders", (*problems, *found))
    return game.write(game.parse(command.orders))


def _texts(siege: Siege, player: Player, prelude: Kept[Post] | None, command: SendOrders) -> tuple[Change, ...]:
    """The change of the text, if there is one: blank takes it back."""
    if command.text is None or siege.setting_up or not registry.game(siege.game).SPEC.texts:
        return ()
    text = command.text.strip()
    if text == (prelude.value.text if prelude else ""):
        return ()
    post = Post(siege.id, siege.turn, prelude_id(player.seat), player.seat, text, command.received)
    return (Put(post, was(prelude)),)


def _seal(
    siege: Siege,
    player: Player,
    orders: Json,
    prelude: Kept[Post] | None,
    command: SendOrders,
) -> Sheet:
    before = player.sheet
    kept = before is not None and dated(siege.game, before.orders) == dated(siege.game, orders)
    day = before.day if before and kept else day_of(command.received, siege.zone)
    text = bool(prelude and prelude.value.text) if command.text is None else bool(command.text.strip())
    text = text and not siege.setting_up
    return Sheet(
        orders,
        day if registry.game(siege.game).SPEC.dated else "",
        command.received,
        before.number + 1 if before else 1,
        (*(before.requests if before else ()), command.request),
        text,
        command.follow and not text and not siege.setting_up,
    )
