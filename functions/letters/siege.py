"""Letters about sieges, made from what their reader may see: results in words and as a picture (P8, P30)."""

from collections.abc import Mapping
from typing import Any, Final

from engine.decisions import Job, Put
from engine.games import registry
from engine.platform.members import Member
from engine.platform.notices import warning_due
from engine.platform.preferences import quiet_since, wants
from engine.platform.sieges import notices
from engine.platform.sieges.records import Player, Siege, SiegeTurn
from engine.platform.sieges.settling import prizes
from engine.times import MINUTE, SECOND, Instant, later
from functions.letters.written import Written, put_together
from functions.mail_links import turn_url, unsubscribe_url
from functions.outcomes import ending
from functions.sieges import seat_names, turn_of
from functions.web.boards import board
from infra.i18n import translator
from infra.mail import Picture
from infra.records import MEMBER, PRESENCE, SIEGE
from infra.site import Site

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "siege_prepare": ("tournament", "turn"),
    "siege_again": ("turn",),
    "siege_turn": ("turn", "result"),
    "siege_warning": ("warning",),
    "siege_moved": ("turn", "warning"),
    "siege_out": ("result",),
    "siege_won": ("result", "tournament"),
    "siege_over": ("result", "tournament"),
    "siege_cancelled": ("tournament",),
}
OPENING: Final = ("siege_prepare", "siege_again", "siege_turn")
WITH_RESULTS: Final = ("siege_turn", "siege_out", "siege_won", "siege_over")
LOOKING: Final = 75 * SECOND  # a page that is being looked at says so every 30 s


def write(site: Site, job: Job) -> Written:
    """The letter of a siege's notice, if it is wanted and still true; with a turn's comes its warning's time."""
    about, now = job.about, site.sources.now()
    row, member_row = site.store.get(SIEGE, about["siege"]), site.store.get(MEMBER, about["to"])
    player = row.value.player(about["to"]) if row else None
    if row is None or member_row is None or player is None or not _still_true(job, row.value, player, now):
        return Written(None)
    siege, member, notice = row.value, member_row.value, str(about["notice"])
    follow = _warning(siege, member, now) if notice in OPENING else ()
    kind = next((kind for kind in KINDS[notice] if wants(member, kind)), None)
    if kind is None or (notice == "siege_turn" and _looking(site, siege, member, now)):
        return Written(None, follow)
    played = turn_of(site, siege, siege.last) if notice in WITH_RESULTS and siege.last is not None else None
    if notice == "siege_out":
        played = turn_of(site, siege, about["turn"])
    data = _data(site, job, siege, member, player, played)
    unsubscribe = unsubscribe_url(site.settings, member.id, kind)
    pictures = _pictures(siege, played)
    letter = put_together(site, job, member.address, member.lang, member.zone, data, unsubscribe, pictures)
    return Written(letter, follow)


def warning_at(siege: Siege, member: Member) -> Instant:
    """When a fifth of the turn is left; before the member's quiet hours if it falls into them (P4)."""
    opened, deadline = siege.opened or Instant(0), siege.deadline or Instant(0)
    due = warning_due(opened, deadline)
    begin = quiet_since(member.quiet, member.zone, due)
    return due if begin is None or begin - MINUTE <= opened else later(begin, -MINUTE)


def _still_true(job: Job, siege: Siege, player: Player, now: Instant) -> bool:
    notice, turn = job.about["notice"], job.about["turn"]
    if notice == "siege_moved":
        return bool(job.about["deadline"] == (siege.opens if siege.stage == "open" else siege.deadline))
    if notice in ("siege_won", "siege_over"):
        return siege.stage == "ended"
    if notice == "siege_cancelled":
        return siege.stage == "cancelled"
    if notice == "siege_out":
        return turn in siege.resolved
    waits = siege.waits_for(player) and player.sheet is None
    return waits and siege.turn == turn and siege.deadline is not None and now <= siege.deadline


def _looking(site: Site, siege: Siege, member: Member, now: Instant) -> bool:
    row = site.store.get(PRESENCE, siege.id, member.id)
    return row is not None and now - row.value.at < site.settings.stretched(LOOKING)


def _warning(siege: Siege, member: Member, now: Instant) -> tuple[Put, ...]:
    if siege.deadline is None:
        return ()
    due = max(now, warning_at(siege, member))
    return (Put(notices.letter(siege, member.id, "siege_warning", due, siege.deadline), None),)


def _data(
    site: Site, job: Job, siege: Siege, member: Member, player: Player, played: SiegeTurn | None
) -> dict[str, Any]:
    t = translator(member.lang)
    names = seat_names(site, siege, member)
    page = f"{site.settings.base_url}/sieges/{siege.id}"
    playing = siege.stage == "playing" and player.seat in siege.awaits
    public = _public(played, siege)
    won = prizes(siege) if siege.stage == "ended" else {}
    return {
        "name": siege.name,
        "game": siege.game,
        "turn": siege.turn,
        "stage": siege.stage,
        "deadline": siege.deadline,
        "was": job.about.get("was"),
        "moved": job.about.get("deadline"),
        "zone": siege.zone,
        "fee": siege.fee,
        "began": player.began,
        "ended": ending(t, siege, names),
        "credits": won.get(member.id, 0),
        "results": board(siege.game).headline(t, public, names) if played else (),
        "results_turn": played.turn if played else 0,
        "picture": bool(_pictures(siege, played)),
        "facts": (),
        "page": page,
        "url": turn_url(site.settings, member, siege.id, player.seat, siege.turn) if playing else _way(page, played),
    }


def _public(played: SiegeTurn | None, siege: Siege) -> list[dict[str, Any]]:
    """What everybody may know of the turn; how it ended is said apart."""
    apart = ("ended", "honour") if siege.stage == "ended" else ()
    facts = played.facts if played else ()
    return [{"code": f.code, "detail": f.detail} for f in facts if f.known_to is None and f.code not in apart]


def _way(page: str, played: SiegeTurn | None) -> str:
    return f"{page}/turns/{played.turn}" if played else page


def _pictures(siege: Siege, played: SiegeTurn | None) -> tuple[Picture, ...]:
    """The public map after a turn with shots."""
    if played is None or played.turn < 1:
        return ()
    game = registry.game(siege.game)
    view = game.show(game.view(game.load(played.state), "public"))
    return (Picture("map", board(siege.game).picture(view, played.turn)),)
