"""Letters about duels, made from what their reader may see (P8, P30)."""

from typing import Any, Final

from engine.decisions import Job, Put
from engine.games import registry
from engine.platform import notices
from engine.platform.duels.records import Duel, Player
from engine.platform.members import Member
from engine.platform.preferences import quiet_since, wants
from engine.times import MINUTE, SECOND, Instant, later
from functions.duel_stakes import fate
from functions.letters.written import Written, put_together
from functions.mail_links import turn_url, unsubscribe_url
from functions.names import name_of
from functions.outcomes import outcome
from functions.web.boards import board
from functions.web.game_page import told
from infra.i18n import translator
from infra.records import DUEL, MEMBER, PRESENCE, TURN
from infra.site import Site

KINDS: Final = {
    "proposal": ("proposal",),
    "accepted": ("accepted",),
    "turn": ("turn",),
    "warning": ("warning",),
    "moved": ("turn", "warning"),
    "result": ("result",),
}
LOOKING: Final = 75 * SECOND  # a page that is being looked at says so every 30 s


def write(site: Site, job: Job) -> Written:
    """The letter of a duel's notice, if it is wanted and still true; with a turn's comes its warning's time."""
    about = job.about
    duel_row, member_row = site.store.get(DUEL, about["duel"]), site.store.get(MEMBER, about["to"])
    if duel_row is None or member_row is None:
        return Written(None)
    duel, member, now = duel_row.value, member_row.value, site.sources.now()
    if not _still_true(job, duel, member, now):
        return Written(None)
    follow = _warning(duel, member, now) if about["notice"] in ("turn", "accepted") else ()
    kind = next((kind for kind in _kinds(about["notice"], duel) if wants(member, kind)), None)
    if kind is None or (about["notice"] == "turn" and _looking(site, duel, member, now)):
        return Written(None, follow)
    unsubscribe = unsubscribe_url(site.settings, member.id, kind)
    data = _data(site, job, duel, member)
    return Written(put_together(site, job, member.address, member.lang, member.zone, data, unsubscribe), follow)


def warning_at(duel: Duel, member: Member) -> Instant:
    """When a fifth of the turn is left; before the member's quiet hours if it falls into them (P4).

    Quiet hours that began before the turn did leave no time before them: then the warning comes at its own time.
    """
    opened, deadline = duel.opened or Instant(0), duel.deadline or Instant(0)
    due = notices.warning_due(opened, deadline)
    begin = quiet_since(member.quiet, member.zone, due)
    return due if begin is None or begin - MINUTE <= opened else later(begin, -MINUTE)


def _still_true(job: Job, duel: Duel, member: Member, now: Instant) -> bool:
    notice, turn = job.about["notice"], job.about["turn"]
    player = duel.player(member.id)
    if notice == "proposal":
        return duel.stage == "proposed" and duel.invited == member.id
    if notice == "result":
        return duel.stage == "ended"
    if player is None or not duel.waits_for(player) or duel.deadline is None or now > duel.deadline:
        return notice == "moved" and duel.stage == "playing" and duel.deadline == job.about["deadline"]
    return bool(duel.turn == turn)


def _kinds(notice: str, duel: Duel) -> tuple[str, ...]:
    """The kinds of mail that a notice is, any of which may be wanted: an accepted proposal may open a turn as well."""
    return ("accepted", "turn") if notice == "accepted" and duel.stage == "playing" else KINDS[notice]


def _looking(site: Site, duel: Duel, member: Member, now: Instant) -> bool:
    row = site.store.get(PRESENCE, duel.id, member.id)
    return row is not None and now - row.value.at < site.settings.stretched(LOOKING)


def _warning(duel: Duel, member: Member, now: Instant) -> tuple[Put, ...]:
    if duel.stage != "playing" or duel.deadline is None:
        return ()
    due = max(now, warning_at(duel, member))
    return (Put(notices.letter(duel, member.id, "warning", due, duel.deadline), None),)


def _data(site: Site, job: Job, duel: Duel, member: Member) -> dict[str, Any]:
    player = duel.player(member.id)
    other = duel.opponent(member.id)
    other_name = name_of(site, other, lang=member.lang) if other else ""
    names = {p.seat: member.name if p.member == member.id else other_name for p in duel.players}
    playing = duel.stage == "playing" and player is not None
    page = f"{site.settings.base_url}/games/{duel.id}"
    return {
        "game": duel.game,
        "pace": duel.pace,
        "live": registry.game(duel.game).SPEC.paces[duel.pace].live,
        "stage": duel.stage,
        "turn": duel.turn,
        "opponent": other_name,
        "deadline": duel.deadline,
        "was": job.about.get("was"),
        "lapses": later(duel.proposed, notices.PROPOSAL_LASTS),
        "you": player.seat if player else None,
        "outcome": outcome(translator(member.lang), duel, player.seat if player else None, names),
        "url": turn_url(site.settings, member, duel.id, player.seat, duel.turn) if playing and player else page,
        "page": page,
        "facts": _facts(site, duel, player),
        "facts_turn": duel.played,
        "position": _position(duel, member),
        "stake": duel.stake,
        "stake_fate": fate(site, duel, member.id),
    }


def _position(duel: Duel, member: Member) -> tuple[str, ...]:
    """The position in words, in games that hide nothing: enough to think about the move without the page."""
    game = registry.game(duel.game)
    if game.SPEC.secret or duel.state is None:
        return ()
    shown = game.show(game.view(game.load(duel.state), "public"))
    return tuple(board(duel.game).situation(translator(member.lang), shown))


def _facts(site: Site, duel: Duel, player: Player | None) -> list[dict[str, Any]]:
    """What the member may know of the last turn played."""
    row = site.store.get(TURN, duel.id, duel.played) if player and duel.played else None
    if row is None or player is None:
        return []
    return [{"code": f.code, "detail": f.detail} for f in row.value.facts if told(f, player.seat)]
