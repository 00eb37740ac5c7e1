"""What a duel's page shows, to each of its readers."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from engine.decisions import Json
from engine.games import registry
from engine.games.draws import commitment
from engine.platform.duels.absence import Seen, missing_since
from engine.platform.duels.drawing import can_offer, next_offer
from engine.platform.duels.records import PROPOSAL_LASTS, SUBMISSIONS, Desk, Duel, DuelId, Player, StoredFact, Turn
from engine.platform.members import MemberId
from engine.platform.sessions import may
from engine.times import MINUTE, Instant, later
from functions import rematches, rivals
from functions.fronts import disguised, sealed
from functions.names import name_of
from functions.presence import seen, watched
from functions.web import solo_page
from functions.web.counting import at_stake, counted
from functions.web.visit import Visit, etag
from infra.records import DESK, TURN
from infra.store import Row

Data = dict[str, Any]
NOBODY: Final[Seen] = MappingProxyType({})
NEVER: Final = Instant(0)
LINGERS: Final = 15 * MINUTE


def game_page(visit: Visit, duel: Duel, problems: tuple[Mapping[str, Any], ...] = (), typed: object = None) -> Data:
    """The page of a duel as this reader may see it (P14): at most six reads with those that recognised the reader.

    `typed` and `problems` are a refused sheet and what is wrong with it.
    """
    you = your_part(visit, duel)
    desk = _desk(visit, duel, you)
    hidden = sealed(visit.site, duel)
    duel = disguised(duel) if hidden and you is None else duel
    heard = seen(visit.site, duel) if watched(duel) else NOBODY
    facts, placed = facts_of(duel, you, hidden), chairs(duel, you, heard, visit.received)
    after, wish = solo_page.afterwards(visit, duel, you), rematch_asked(visit, duel, you)
    sheet, drafted = _sheet(duel, you, desk)
    return {
        "duel": {**facts, **counted(visit, duel, you), **solo_page.judged(duel, after)},
        "stakes": at_stake(visit, duel, you),
        "seats": seats(visit, duel, you, placed),
        "version": version_of(facts, placed, receipt(duel, you), news_after(visit, duel, you, wish)),
        "you": you.seat if you and you.seat else None,
        "yours": you is not None,
        "may": allowed(visit, duel, you),
        "view": _view(duel, you, hidden),
        "sheet": sheet if typed is None else typed,
        "drafted": drafted and typed is None,
        "after": you.sheet.number if you and you.sheet else 0,
        "receipt": receipt(duel, you),
        "report": _report(visit, duel, you, hidden),
        "stand_in": solo_page.stand_in(you),
        "afterwards": after,
        "rematch": wish,
        "lingers": lingers(duel, you, visit.received),
        "problems": problems,
        "notes": desk.notes if desk else "",
        "next": None,
        "kept": "",
        "address": f"{visit.site.settings.base_url}/games/{duel.id}",
        "now": visit.received,
    }


def your_part(visit: Visit, duel: Duel) -> Player | None:
    """The reader's own part in the duel, if their session lets them see it."""
    member = visit.member.id if visit.member else None
    return duel.player(member) if may(visit.session, "see", duel.id) else None


def version_of(facts: Data, placed: list[Data], kept: Data | None, after: Data | None) -> str:
    """The tag of what live refresh looks at: a page says it, so that no change between two requests is missed."""
    return etag(looked_at(facts, placed, kept, after)).strip('"')


def looked_at(facts: Data, placed: list[Data], kept: Data | None, after: Data | None) -> Data:
    """What live refresh looks at."""
    return {"duel": facts, "seats": placed, "receipt": kept, "after": after}


def lingers(duel: Duel, you: Player | None, now: Instant) -> bool:
    """Whether a player may still be looking at the end for what comes of it: ratings, stakes, a rematch."""
    over = duel.kind == "duel" and duel.stage == "ended" and bool(duel.seed) and duel.ended is not None
    return over and you is not None and now < later(duel.ended or NEVER, LINGERS)


def rematch_asked(visit: Visit, duel: Duel, you: Player | None) -> DuelId | None:
    """The rematch that the opponent has asked for, if the reader may answer; one query."""
    if you is None or duel.kind != "duel" or duel.stage != "ended" or not may(visit.session, "duels", duel.id):
        return None
    return rematches.asked(visit.site, duel, you.member) if duel.seed else None


def news_after(visit: Visit, duel: Duel, you: Player | None, wish: DuelId | None) -> Data | None:
    """What may change after the end while the players still look at it."""
    if not lingers(duel, you, visit.received):
        return None
    return {"counted": counted(visit, duel, you), "stakes": at_stake(visit, duel, you), "rematch": wish}


def facts_of(duel: Duel, you: Player | None, hidden: bool = False) -> Data:
    """What is said of the duel itself; a stranger gets no more than who, pace and turn while a secret game runs.

    `hidden`: it is a Front's whose day is not final, so that it stays as secret after its end (P24).
    """
    spec = registry.game(duel.game).SPEC
    running = duel.stage in ("ready", "playing")
    secret = running and you is None and spec.secret
    result = duel.result
    return {
        "id": duel.id,
        "game": duel.game,
        "pace": duel.pace,
        "live": spec.paces[duel.pace].live,
        "stage": duel.stage,
        "turn": duel.turn,
        "turns": spec.turns,
        "open": not spec.secret,
        "quick": running and (spec.paces[duel.pace].live or any(duel.waits_for(p) and p.policy for p in duel.players)),
        "proposed": duel.proposed,
        "invited": duel.invited is not None,
        "opened": None if secret else duel.opened,
        "deadline": None if secret else duel.deadline,
        "ended": duel.ended,
        "outcome": {"winner": result.winner, "by": result.by} if result else None,
        "commitment": commitment(bytes.fromhex(duel.seed)) if duel.seed else None,
        "seed": duel.seed if duel.stage == "ended" and duel.seed and not hidden else None,
        "kind": duel.kind,
        "front": duel.front,
        "cup": "" if secret else duel.cup,
        "sealed": hidden,
        **({} if secret else solo_page.rated(duel)),
        "link": duel.link,
        "lapses": later(duel.proposed, PROPOSAL_LASTS) if duel.stage == "proposed" else None,
        "options": {} if secret or (hidden and you is None) else duel.options,
        "awaits": () if secret else duel.awaits,
        "draw": duel.draw,
        "words": None if spec.secret else duel.words,
    }


def seats(visit: Visit, duel: Duel, you: Player | None, placed: list[Data] | None = None) -> list[Data]:
    """Who plays, and what `chairs` tells of them."""
    told = chairs(duel, you) if placed is None else placed
    taken = [{**chair, "member": _named(visit, p.member)} for chair, p in zip(told, duel.players, strict=True)]
    return taken + _empty_chair(visit, duel)


def chairs(duel: Duel, you: Player | None, heard: Seen = NOBODY, now: Instant = NEVER) -> list[Data]:
    """How far the players are; what the opponent has sent is shown to the players only, as a commitment (P11).

    In a live game that is lost by who leaves, `away` is when a player is missing for good (L14), as `heard` has it.
    """
    return [{**_chair(duel, player, you), "away": _lost_at(duel, player, heard, now)} for player in duel.players]


def allowed(visit: Visit, duel: Duel, you: Player | None) -> list[str]:
    """What this reader may do with the duel now."""
    member = visit.member.id if visit.member else None
    if member is None and duel.free and registry.game(duel.game).SPEC.guests:
        return ["accept"]
    if duel.stage == "proposed":
        offers = _offers(duel, member)
    elif you is None:
        offers = []
    else:
        offers = _moves(duel, you)
    return [
        do for do in offers if may(visit.session, "orders" if do in ("orders", "draft", "notes") else "duels", duel.id)
    ]


def told(fact: StoredFact, eyes: str) -> bool:
    """Whether these eyes (a seat, or "all") may know a fact."""
    return eyes == "all" or fact.known_to is None or eyes in fact.known_to


def receipt(duel: Duel, you: Player | None) -> Data | None:
    """The player's own orders as they were taken, with what binds them (P11)."""
    if you is None or you.sheet is None:
        return None
    sheet = you.sheet
    return {
        "orders": sheet.orders,
        "at": sheet.received,
        "commitment": sheet.commitment,
        "number": sheet.number,
        "left": SUBMISSIONS - sheet.number,
    }


def _named(visit: Visit, member: MemberId) -> Data:
    return {"id": member, "name": name_of(visit.site, member, visit.member, visit.lang)}


def _chair(duel: Duel, player: Player, you: Player | None) -> Data:
    insider = you is not None and duel.stage == "playing"
    own = player is you
    return {
        "seat": player.seat,
        "you": own,
        "sent": insider and player.sheet is not None,
        "submissions": player.sheet.number if own and player.sheet else 0,
        "commitment": player.sheet.commitment if insider and player.sheet else None,
        "ready": you is not None and player.ready is not None,
        "missed": player.missed if own or duel.stage == "ended" else 0,
        "ai": player.policy is not None,
        "left": player.left,
        "draw_from": next_offer(player) if own else 0,
    }


def _lost_at(duel: Duel, player: Player, heard: Seen, now: Instant) -> Instant | None:
    since = missing_since(duel, player, heard, now) if now and heard is not NOBODY else None
    absence = registry.game(duel.game).SPEC.paces[duel.pace].absence
    return later(since, absence) if since is not None and absence else None


def _empty_chair(visit: Visit, duel: Duel) -> list[Data]:
    if len(duel.players) > 1:
        return []
    invited = duel.invited
    member = _named(visit, invited) if invited else None
    own = invited is not None and visit.member is not None and visit.member.id == invited
    empty: Data = {"sent": False, "submissions": 0, "commitment": None, "ready": False, "missed": 0}
    empty |= {"ai": False, "left": None, "away": None, "draw_from": 0}
    return [{"seat": "", "member": member, "you": own, **empty}]


def _offers(duel: Duel, member: MemberId | None) -> list[str]:
    if member is None:
        return []
    if duel.proposer == member:
        return ["withdraw"]
    if duel.invited == member:
        return ["accept", "decline"]
    return ["accept"] if duel.free else []


def _moves(duel: Duel, you: Player) -> list[str]:
    if duel.stage == "ready":
        return (["ready"] if you.ready is None else []) + ["abandon", "notes"]
    if duel.stage == "playing":
        left = you.sheet is None or you.sheet.number < SUBMISSIONS
        sending = ["orders", "draft"] if you.seat in duel.awaits and left else []
        return [*sending, *_drawing(duel, you), "notes", "abandon"]
    again = duel.kind == "duel" or rivals.again(duel, you.member) is not None
    return (["notes", "rematch"] if again else ["notes"]) if duel.seed else []


def _drawing(duel: Duel, you: Player) -> list[str]:
    if duel.draw == you.seat:
        return ["decline-draw"]
    if duel.draw:
        return ["accept-draw", "decline-draw"]
    return ["offer-draw"] if can_offer(duel, you) else []


def _shown(duel: Duel, you: Player | None, hidden: bool) -> bool:
    """Whether this reader may see the board: its players, everybody after the end or if the game hides nothing."""
    over = duel.stage == "ended" and not hidden
    return you is not None or over or not registry.game(duel.game).SPEC.secret


def _view(duel: Duel, you: Player | None, hidden: bool) -> Json | None:
    if duel.state is None or not _shown(duel, you, hidden):
        return None
    game = registry.game(duel.game)
    eyes = you.seat if you else "all" if duel.stage == "ended" else "public"
    return game.show(game.view(game.load(duel.state), eyes))


def _desk(visit: Visit, duel: Duel, you: Player | None) -> Desk | None:
    if you is None or not you.seat:
        return None
    row: Row[Desk] | None = visit.site.store.get(DESK, duel.id, you.seat)
    return row.value if row else None


def _sheet(duel: Duel, you: Player | None, desk: Desk | None) -> tuple[Json, bool]:
    """The orders to show in the form, and whether they are a draft."""
    number = you.sheet.number if you and you.sheet else 0
    if desk and desk.draft is not None and (desk.draft_turn, desk.draft_after) == (duel.turn, number):
        return desk.draft, True
    return you.sheet.orders if you and you.sheet else {}, False


def _report(visit: Visit, duel: Duel, you: Player | None, hidden: bool) -> Data | None:
    last = duel.played
    asked = visit.query.get("report", "")
    number = min(int(asked), last) if asked.isascii() and asked.isdigit() and len(asked) < 4 else last
    if last < 1 or number < 1 or not _shown(duel, you, hidden):
        return None
    if number == last and duel.news:
        facts = [{"code": f.code, "detail": f.detail} for f in duel.news]
        return {"turn": last, "last": last, "by": "sent", "facts": facts, "ruled": None}
    row: Row[Turn] | None = visit.site.store.get(TURN, duel.id, number)
    if row is None:
        return None
    eyes = you.seat if you else "all"
    facts = [{"code": f.code, "detail": f.detail} for f in row.value.facts if told(f, eyes)]
    by, ruled = row.value.by, solo_page.ruled(row.value, you)
    return {"turn": number, "last": last, "by": by, "facts": facts, "ruled": ruled}
