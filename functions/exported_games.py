"""Games as a member's own data has them: what they keep in them, sent and wrote, and what is noted of them (P5).

What is hidden from them is not theirs to have (P30), and what others sent or wrote is others' data.
"""

from collections.abc import Iterable
from typing import Any, Final

from engine.games import registry
from engine.platform.duels.records import Duel, MemberGame, Player
from engine.platform.members import MemberId
from engine.platform.ratings.records import Rated
from engine.platform.sieges.records import Entry as SiegeEntry
from engine.platform.sieges.records import Player as SiegePlayer
from engine.platform.sieges.records import Siege
from engine.platform.tournaments.records import Entry as CupEntry
from infra import codec
from infra.records import (
    DESK,
    DUEL,
    FRONT_GAME,
    LOAD,
    PRESENCE,
    RATED,
    SHOWN,
    SIEGE,
    SIEGE_POST,
    SIEGE_TURN,
    SIEGE_VOICE,
    TOURNAMENT,
    TURN,
)
from infra.site import Site

Data = dict[str, Any]

MOST_TURNS: Final = 60  # of a game whose orders are sheets
MOST_MINUTES: Final = 200  # with a load of a game's page
TEXTS: Final = 20  # a page: each may have 20,000 characters


def game(site: Site, line: MemberGame) -> Data:
    """A game with the member's own part in it; eight reads at most."""
    row = site.store.get(DUEL, line.duel)
    player = row.value.player(line.member) if row else None
    found: Data = {**codec.dump(line), "part": codec.dump(player) if player else None}
    if row is None or player is None:
        return found
    duel = row.value
    return {
        **found,
        **_kept(site, duel, player),
        "front": _front(site, duel, player.member) if duel.front else None,
        "rated": _rated(site, duel, player.member),
        "download": f"/games/{duel.id}/download" if line.state == "ended" else None,
    }


def siege(site: Site, entry: SiegeEntry) -> Data:
    """A siege with the member's own places, targets and reactions; three reads."""
    row = site.store.get(SIEGE, entry.siege)
    player = row.value.player(entry.member) if row else None
    found: Data = {**codec.dump(entry), "part": codec.dump(player) if player else None}
    if row is None or player is None or not player.seat:
        return found
    voice = site.store.get(SIEGE_VOICE, entry.siege, player.seat)
    return {
        **found,
        "name": row.value.name,
        "turns": _siege_turns(site, row.value, player),
        "reactions": codec.dump(voice.value) if voice else None,
    }


def texts(site: Site, entry: SiegeEntry, after: str) -> tuple[list[Data], str]:
    """A page of the texts that the member wrote in a siege; two reads."""
    row = site.store.get(SIEGE, entry.siege)
    player = row.value.player(entry.member) if row else None
    if player is None or not player.seat:
        return [], ""
    page = site.store.query(SIEGE_POST, "seat", entry.siege, player.seat, limit=TEXTS, after=after)
    return [{**codec.dump(post.value), "hidden_by": ""} for post in page.rows], page.after


def cup(site: Site, entry: CupEntry) -> Data:
    """A tournament with the member's own matches; one read."""
    row = site.store.get(TOURNAMENT, entry.tournament)
    matches = row.value.matches if row else ()
    own = [codec.dump(match) for match in matches if entry.member in (match.one, match.other)]
    return {**codec.dump(entry), "stage": row.value.stage if row else None, "matches": own}


def _kept(site: Site, duel: Duel, player: Player) -> Data:
    """Notes, draft, orders turn by turn, and what is noted for fair play."""
    desk = site.store.get(DESK, duel.id, player.seat) if player.seat else None
    presence = site.store.get(PRESENCE, duel.id, player.member)
    sheets = registry.game(duel.game).SPEC.word == ""
    turns = site.store.query(TURN, "", duel.id, limit=MOST_TURNS, start=(1,)).rows if sheets else ()
    shown = site.store.query(SHOWN, "", duel.id, limit=2 * MOST_TURNS).rows if sheets else ()
    loads = site.store.counts(LOAD, duel.id, limit=MOST_MINUTES, start=(player.member,), upto=(player.member,))
    return {
        "notes": desk.value.notes if desk else "",
        "draft": desk.value.draft if desk else None,
        "turns": [
            {"turn": row.value.number, "opened": row.value.opened, "sent": codec.dump(sent)}
            for row in turns
            if (sent := row.value.sheets.get(player.seat)) is not None
        ],
        "words": list(duel.words),
        "present": presence.value.at if presence else None,
        "shown": [codec.dump(row.value) for row in shown if row.value.member == player.member],
        "loads": [{"minute": load.minute, "n": n} for load, n in loads],
    }


def _front(site: Site, duel: Duel, member: MemberId) -> Data | None:
    entry = site.store.get(FRONT_GAME, duel.front, member)
    return codec.dump(entry.value) if entry and entry.value.game == duel.id else None


def _rated(site: Site, duel: Duel, member: MemberId) -> Data | None:
    """Whether it counted and what it moved of the member's own ratings."""
    row = site.store.get(RATED, duel.id) if duel.ended is not None else None
    if row is None:
        return None
    rated: Rated = row.value
    own: Iterable[Data] = (codec.dump(moved) for moved in rated.moved if moved.member == member)
    return {"why": rated.why, "undone": rated.undone, "moved": list(own)}


def _siege_turns(site: Site, siege: Siege, player: SiegePlayer) -> list[Data]:
    rows = site.store.query(SIEGE_TURN, "", siege.id, limit=MOST_TURNS).rows
    return [
        {"turn": row.value.turn, "opened": row.value.opened, "sent": codec.dump(sent)}
        for row in rows
        if (sent := row.value.sheets.get(player.seat)) is not None
    ]
