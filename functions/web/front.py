"""The Daily Front: today's game, its leaderboard, the month's points, past days (P24, P25)."""

from collections.abc import Sequence
from typing import Any, Final

from engine.errors import Refusal
from engine.games.draws import commitment
from engine.platform.daily_front import WEEK, Front, FrontGame, Monthly
from engine.platform.local_days import Day, is_day, month_of, weekday
from engine.platform.members import Member
from engine.platform.sessions import may
from functions import solo_games
from functions.fronts import front_of, today
from functions.names import names_of
from functions.web.visit import Response, Visit
from infra.records import FRONT, FRONT_GAME, FRONT_TALLY, MONTHLY

Data = dict[str, Any]
Tallies = Sequence[tuple[tuple[int, int, int, int], int]]

SHOWN: Final = 30
MOST_PLACES: Final = 1_000
DAYS: Final = 14
BEST: Final = 3


def show(visit: Visit) -> Response[Any]:
    """Today's Front: its map is nowhere before the member's Start."""
    return _page(visit, front_of(visit.site, today(visit.site, visit.received)))


def of_day(visit: Visit, day: str) -> Response[Any]:
    """The Front of a day that has begun; `not_found` for tomorrow's and days without any."""
    return _page(visit, _front(visit, day))


def begin(visit: Visit) -> Response[Any]:
    """Start the one ranked game of the day: the map appears, and the clock runs."""
    member = _player(visit)
    day = visit.form.get("day") or today(visit.site, visit.received)
    return visit.redirect(f"/games/{solo_games.front(visit.site, member, day, visit.received)}")


def retry(visit: Visit, day: str) -> Response[Any]:
    """Play a Front again, for nothing."""
    member, kept = _player(visit), _front(visit, day)
    request = visit.form.get("request") or visit.site.sources.id()
    return visit.redirect(f"/games/{solo_games.retry(visit.site, member, kept, request)}")


def archive(visit: Visit) -> Response[Any]:
    """The days that are final, the latest first, a page at a time (`?after=`), each with its best games."""
    page = visit.site.store.query(FRONT, "final", limit=DAYS, after=visit.query.get("after", "")[:200])
    days = [row.value for row in page.rows]
    best = {day.day: _rows(visit, day.day, BEST)[0] for day in days}
    names = names_of(visit.site, {game.member for games in best.values() for game in games}, visit.member, visit.lang)
    data = {
        "days": [{**_secrets(day, shown=True), "best": [_game(game, names) for game in best[day.day]]} for day in days],
        "first": "after" not in visit.query,
        "after": page.after,
    }
    return visit.page("pages/front/archive.html", data)


def month(visit: Visit, month: str) -> Response[Any]:
    """The points of a month, a page at a time (`?after=`, `?from=`): ties go to more wins, then the older account."""
    if not is_day(f"{month}-01"):
        raise Refusal("not_found")
    after = visit.query.get("after", "")[:200]
    before = _number(visit.query.get("from", "")) if after else 0
    page = visit.site.store.query(MONTHLY, "table", month, limit=SHOWN, after=after)
    rows = [row.value for row in page.rows]
    names = names_of(visit.site, {row.member for row in rows}, visit.member, visit.lang)
    data = {
        "month": month,
        "rows": [_points(row, n, names) for n, row in enumerate(rows, start=before + 1)],
        "before": before,
        "after": page.after,
    }
    return visit.page("pages/front/month.html", data)


def _page(visit: Visit, front: Front) -> Response[Any]:
    member = visit.member
    now = visit.received
    mine = _mine(visit, front.day, member) if member else None
    after = visit.query.get("after", "")[:200]
    games, more = _rows(visit, front.day, SHOWN, after)
    tallies = _tallies(visit, front.day)
    names = names_of(visit.site, {game.member for game in games}, member, visit.lang)
    here = front.opens <= now < front.closes
    void = mine is not None and mine.by == "outage"
    data = {
        **_secrets(front, shown=front.final is not None),
        "today": here,
        "opens": front.opens,
        "closes": front.closes,
        "final": front.final,
        "commitment": commitment(bytes.fromhex(front.seed)),
        "mine": {**_game(mine, {}), "rank": _rank(mine, tallies)} if mine else None,
        "start": here and (mine is None or void),
        "retry": front.final is not None or (mine is not None and mine.ended is not None and not void),
        "unranked_why": solo_games.unranked_because(visit.site, member, front.day) if member and here else "",
        "rows": [{**_game(game, names), "rank": _rank(game, tallies)} for game in games],
        "games": sum(count for _, count in tallies),
        "first": not after,
        "after": more,
        "month": month_of(front.day),
        "request": visit.site.sources.id(),
        "now": now,
    }
    return visit.page("pages/front/front.html", data)


def _front(visit: Visit, day: Day) -> Front:
    if day == today(visit.site, visit.received):
        return front_of(visit.site, day)
    row = visit.site.store.get(FRONT, day) if is_day(day) else None
    if row is None or row.value.opens > visit.received:
        raise Refusal("not_found")
    return row.value


def _secrets(front: Front, shown: bool) -> Data:
    """What may be told of a day's game: the AI always, map, side and seed once the day is final."""
    ai, noise = WEEK[weekday(front.day) - 1]
    return {
        "day": front.day,
        "ai": ai,
        "noise": noise,
        "layout": front.layout if shown else None,
        "seat": front.seat if shown else None,
        "seed": front.seed if shown else None,
    }


def _game(game: FrontGame, names: dict[Any, str]) -> Data:
    return {
        "member": {"id": game.member, "name": names.get(game.member, "")},
        "game": game.game,
        "ended": game.ended is not None,
        "result": game.result,
        "turns": game.turns,
        "positions": game.positions,
        "income": game.income,
        "thinking": game.thinking,
        "ranked": game.ranked,
        "why": game.why,
    }


def _points(row: Monthly, rank: int, names: dict[Any, str]) -> Data:
    member = {"id": row.member, "name": names.get(row.member, "")}
    counted = {"points": row.points, "won": row.won, "drawn": row.drawn, "days": row.days}
    return {"rank": rank, "member": member, **counted}


def _rows(visit: Visit, day: Day, limit: int, after: str = "") -> tuple[list[FrontGame], str]:
    page = visit.site.store.query(FRONT_GAME, "board", day, limit=limit, after=after)
    return [row.value for row in page.rows], page.after


def _tallies(visit: Visit, day: Day) -> Tallies:
    counted = visit.site.store.counts(FRONT_TALLY, day, limit=MOST_PLACES)
    return [((t.kind, t.turns, t.positions, t.income), count) for t, count in counted]


def _rank(game: FrontGame, tallies: Tallies) -> int | None:
    """One more than the games in better places; games in one place share their rank (P25)."""
    return 1 + sum(count for place, count in tallies if place < game.place) if game.ranked else None


def _mine(visit: Visit, day: Day, member: Member) -> FrontGame | None:
    row = visit.site.store.get(FRONT_GAME, day, member.id)
    return row.value if row else None


def _player(visit: Visit) -> Member:
    member = visit.need_member()
    if not may(visit.session, "duels"):
        raise Refusal("link_too_narrow")
    return member


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else 0
