"""What a siege's page shows, to each of its readers (T4, T15, P30)."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from engine.decisions import Json
from engine.games import registry
from engine.games.draws import commitment
from engine.platform.duels.records import StoredFact
from engine.platform.sessions import may
from engine.platform.sieges.records import SUBMISSIONS, Player, Post, Siege, SiegeTurn, prelude_id
from engine.platform.sieges.settling import prizes
from engine.platform.sieges.stopping import stopped
from engine.times import SECOND
from functions.outcomes import ending
from functions.sieges import seat_names, turn_of
from functions.web.visit import Visit, etag
from infra.records import SIEGE_POST
from infra.zones import find

Data = dict[str, Any]
OVER: Final = ("ended", "cancelled")
REFRESH: Final = 30 * SECOND


def siege_page(
    visit: Visit, siege: Siege, problems: Iterable[Mapping[str, Any]] = (), typed: Data | None = None
) -> Data:
    """The page of a siege as this reader may see it: a read for each player, and at most six more.

    `typed` is a form that was not taken (`orders`, `text`, `follow`), with its `problems`.
    """
    you = your_part(visit, siege)
    names = seat_names(visit.site, siege, visit.member)
    last = turn_of(visit.site, siege, siege.last) if siege.last is not None else None
    sheet = you.sheet if you else None
    form = typed or {
        "orders": sheet.orders if sheet else {},
        "text": _own_text(visit, siege, you),
        "follow": bool(sheet and sheet.follow),
    }
    return {
        **base(visit, siege, you, names),
        "version": etag(version_of(siege, you)).strip('"'),
        "may": allowed(visit, siege, you),
        "view": view(siege, you),
        "form": form,
        "after": sheet.number if sheet else 0,
        "receipt": receipt(you),
        "report": report(siege, last, you),
        "news": told(siege.news, siege, you),
        "outcome": outcome(visit, siege, names),
        "problems": tuple(problems),
        "preview": None,
        "next": None,
    }


def base(visit: Visit, siege: Siege, you: Player | None, names: Mapping[str, str]) -> Data:
    """What every page of a siege needs: its facts, who plays, who is reading, what time it is."""
    return {
        "siege": facts_of(siege),
        "seats": [_seat(siege, p, you, names[p.seat or str(n)]) for n, p in enumerate(siege.players, 1)],
        "names": names,
        "you": you.seat if you and you.seat else None,
        "entered": you is not None,
        "now": visit.received,
    }


def your_part(visit: Visit, siege: Siege) -> Player | None:
    """The reader's own part in it, if their session lets them see it."""
    member = visit.member.id if visit.member else None
    return siege.player(member) if may(visit.session, "see", siege.id) else None


def facts_of(siege: Siege) -> Data:
    """What is said of the siege itself, to everybody."""
    over = siege.stage in OVER
    return {
        "id": siege.id,
        "game": siege.game,
        "name": siege.name,
        "stage": siege.stage,
        "seats": siege.seats,
        "players": len(siege.players),
        "fewest": registry.game(siege.game).SPEC.fewest,
        "pace": siege.pace,
        "span": registry.game(siege.game).SPEC.paces[siege.pace].turn,
        "zone": find(siege.zone) or siege.zone,
        "stopped": stopped(siege),
        "fee": siege.fee,
        "pot": siege.fee * len([p for p in siege.players if p.began or siege.turn < 1]),
        "created": siege.created,
        "opens": siege.opens,
        "started": siege.started,
        "setting_up": siege.stage == "playing" and siege.setting_up,
        "again": siege.stage == "playing" and siege.setting_up and bool(siege.resolved),
        "turn": siege.turn,
        "last": siege.last,
        "turns": [turn for turn in siege.resolved if turn > 0],
        "drawn": siege.turn > 0,
        "opened": siege.opened,
        "deadline": siege.deadline,
        "ended": siege.ended,
        "talking_ends": siege.talking_ends,
        "commitment": commitment(bytes.fromhex(siege.seed)),
        "seed": siege.seed if over and siege.started else None,
    }


def allowed(visit: Visit, siege: Siege, you: Player | None) -> list[str]:
    """What this reader may do with the siege now."""
    full = may(visit.session, "duels")
    if siege.stage == "open":
        if you is not None:
            return ["withdraw"] if full else []
        return ["join"] if not siege.full and visit.received < siege.opens and full else []
    if you is None or siege.stage != "playing" or siege.out(you):
        return []
    left = you.sheet is None or you.sheet.number < SUBMISSIONS
    return (["orders"] if left else []) + (["leave"] if full else [])


def version_of(siege: Siege, you: Player | None) -> Data:
    """What live refresh looks at: the stage of things, who has sent, the reader's own receipt."""
    seats = [(p.member, p.seat, p.sheet is not None, siege.out(p)) for p in siege.players]
    return {"siege": facts_of(siege), "seats": seats, "receipt": receipt(you)}


def view(siege: Siege, you: Player | None, state: Json | None = None) -> Json | None:
    """What the reader may see of a state (the present one): their own unit and T15's map, everything after the end."""
    raw = siege.state if state is None else state
    if raw is None:
        return None
    game = registry.game(siege.game)
    return game.show(game.view(game.load(raw), eyes_of(siege, you)))


def eyes_of(siege: Siege, you: Player | None) -> str:
    """With whose eyes the reader looks."""
    return "all" if siege.stage in OVER else you.seat if you and you.seat else "public"


def told(facts: Iterable[StoredFact], siege: Siege, you: Player | None) -> list[Data]:
    """The facts that the reader may know (everything after the end)."""
    eyes = eyes_of(siege, you)
    known = (f for f in facts if eyes == "all" or f.known_to is None or eyes in f.known_to)
    return [{"code": f.code, "detail": f.detail} for f in known]


def report(siege: Siege, turn: SiegeTurn | None, you: Player | None) -> Data | None:
    """The results of a turn."""
    if turn is None:
        return None
    return {"turn": turn.turn, "by": turn.by, "closed": turn.closed, "facts": told(turn.facts, siege, you)}


def receipt(you: Player | None) -> Data | None:
    """The player's own orders as they were taken."""
    if you is None or you.sheet is None:
        return None
    sheet = you.sheet
    return {
        "orders": sheet.orders,
        "at": sheet.received,
        "day": sheet.day,
        "text": sheet.text,
        "follow": sheet.follow,
        "left": SUBMISSIONS - sheet.number,
    }


def outcome(visit: Visit, siege: Siege, names: Mapping[str, str]) -> Data | None:
    """How it ended, in sentences, and what the honours have won of the pot."""
    if siege.result is None or siege.stage != "ended":
        return None
    won = prizes(siege)
    return {
        "by": siege.result.by,
        "honours": siege.result.honours,
        "sentences": ending(visit.t, siege, names),
        "prizes": [{"name": names[p.seat], "credits": won[p.member]} for p in siege.players if won.get(p.member)],
    }


def _seat(siege: Siege, player: Player, you: Player | None, name: str) -> Data:
    return {
        "seat": player.seat,
        "member": {"id": player.member, "name": name},
        "you": player is you,
        "sent": siege.stage == "playing" and player.sheet is not None,
        "awaited": siege.stage == "playing" and player.seat in siege.awaits,
        "left": player.left,
    }


def _own_text(visit: Visit, siege: Siege, you: Player | None) -> str:
    if you is None or you.sheet is None or not you.sheet.text:
        return ""
    row = visit.site.store.get(SIEGE_POST, siege.id, siege.turn, prelude_id(you.seat))
    post: Post | None = row.value if row else None
    return post.text if post else ""
