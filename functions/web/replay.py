"""A game that is over, turn by turn, from either side's eyes or with everything shown (P14)."""

from datetime import UTC, datetime
from typing import Any

from engine.decisions import Json
from engine.errors import Refusal
from engine.games import notation, registry
from engine.games.draws import commitment
from engine.platform.duels.records import Duel, Sheet, StoredFact, Turn
from functions.acting import duel_row
from functions.fronts import sealed
from functions.web.game_page import facts_of, seats, told, your_part
from functions.web.solo_page import ruled
from functions.web.visit import Response, Visit
from infra.records import TURN

MOST_TURNS = 400


def show(visit: Visit, id: str) -> Response[Any]:
    """One step of the replay: `?step=` turns played, seen by `?eyes=` (a seat, or "all")."""
    duel = _told(visit, id)
    you = your_part(visit, duel)
    hidden = sealed(visit.site, duel)
    if hidden and you is None:
        raise Refusal("front_sealed")
    chairs = [p.seat for p in duel.players]
    asked = visit.query.get("eyes", you.seat if you else "all")
    eyes = you.seat if hidden and you else asked if asked in (*chairs, "all") else "all"
    step = min(_step(visit.query.get("step", "")), duel.played)
    turn = _turn(visit, duel, step)
    game = registry.game(duel.game)
    data = {
        "duel": facts_of(duel, you, hidden),
        "seats": seats(visit, duel, you),
        "you": you.seat if you else None,
        "eyes": eyes,
        "step": step,
        "steps": duel.played,
        "by": turn.by,
        "view": game.show(game.view(game.load(turn.state), eyes)),
        "facts": [_fact(f) for f in turn.facts if told(f, eyes)],
        "orders": {seat: _orders(turn, seat) if eyes in (seat, "all") else None for seat in chairs},
        "played_by": {seat: _by(turn, seat) if eyes in (seat, "all") else None for seat in chairs},
        "ruled": ruled(turn, you),
        "now": visit.received,
        "at": "?step=",
        "here": f"{visit.site.settings.base_url}/games/{duel.id}/replay?step={step}",
    }
    return visit.page("pages/game/replay.html" if game.SPEC.secret else "pages/game/review.html", data)


def download(visit: Visit, id: str) -> Response[Any]:
    """The whole game as JSON: orders, facts and states of every turn, and the seed that its draws come from (T17)."""
    duel = _over(visit, id)
    if sealed(visit.site, duel):
        raise Refusal("front_sealed")
    if visit.query.get("as") == "text":
        return _text(visit, duel)
    turns = visit.site.store.query(TURN, "", duel.id, limit=MOST_TURNS).rows
    data = {
        "format": "hidden-orders/duel/1",
        "game": duel.game,
        "id": duel.id,
        "pace": duel.pace,
        "seats": [{"seat": s["seat"], "member": s["member"]["name"]} for s in seats(visit, duel, None)],
        "started": turns[0].value.opened if turns else None,
        "ended": duel.ended,
        "result": {"winner": duel.result.winner, "by": duel.result.by} if duel.result else None,
        "seed": duel.seed,
        "commitment": commitment(bytes.fromhex(duel.seed)),
        "turns": [_whole(row.value) for row in turns],
    }
    return visit.file(data, f"{duel.game}-{duel.id}")


def _text(visit: Visit, duel: Duel) -> Response[Any]:
    """The game in its notation, which the import page reads back. Refused: `no_replay` for games without one."""
    spec = registry.game(duel.game).SPEC
    if not spec.word or duel.ended is None or duel.result is None:
        raise Refusal("no_replay")
    names = {s["seat"].capitalize(): s["member"]["name"] for s in seats(visit, duel, None)}
    date = datetime.fromtimestamp(duel.ended / 1000, UTC).strftime("%Y.%m.%d")
    tags = {**names, "Date": date, "Result": f"{duel.result.winner or 'draw'} {duel.result.by}"}
    options = notation.options_of(duel.game, duel.state or {})
    text = notation.write(notation.Record(duel.game, options, duel.words, tags))
    headers = {"Content-Disposition": f'attachment; filename="{duel.game}-{duel.id}.txt"'}
    return Response(200, "text/plain; charset=utf-8", text, headers=headers)


def _told(visit: Visit, id: str) -> Duel:
    """A game whose turns may be told: any that is over, and one under way that hides nothing."""
    duel = duel_row(visit.site, id).value
    running = duel.stage == "playing" and not registry.game(duel.game).SPEC.secret
    return duel if running else _over(visit, id)


def _over(visit: Visit, id: str) -> Duel:
    duel = duel_row(visit.site, id).value
    if duel.stage != "ended" or not duel.seed or duel.state is None:
        raise Refusal("no_replay")
    return duel


def _turn(visit: Visit, duel: Duel, number: int) -> Turn:
    row = visit.site.store.get(TURN, duel.id, number)
    if row is None:
        raise Refusal("no_replay")
    return row.value


def _step(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


def _orders(turn: Turn, seat: str) -> Json | None:
    sheet = turn.sheets.get(seat)
    return sheet.orders if sheet else None


def _by(turn: Turn, seat: str) -> str | None:
    sheet = turn.sheets.get(seat)
    return sheet.by if sheet else None


def _fact(fact: StoredFact) -> dict[str, Any]:
    alone = fact.known_to[0] if fact.known_to and len(fact.known_to) == 1 else None
    return {"code": fact.code, "detail": fact.detail, "seat": alone}


def _whole(turn: Turn) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "opened": turn.opened,
        "closed": turn.closed,
        "by": turn.by,
        "sheets": {seat: _sheet(sheet) for seat, sheet in turn.sheets.items()},
        "facts": [{"code": f.code, "detail": f.detail, "known_to": f.known_to} for f in turn.facts],
        "state": turn.state,
        "rolls": turn.rolls,
    }


def _sheet(sheet: Sheet) -> dict[str, Any]:
    return {
        "orders": sheet.orders,
        "by": sheet.by,
        "number": sheet.number,
        "received": sheet.received,
        "commitment": sheet.commitment,
    }
