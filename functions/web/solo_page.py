"""What a game's page says of its kind: rated or not, and what came of it afterwards."""

from typing import Any

from engine.platform import challenges
from engine.platform.duels.records import Duel, Player, Turn
from functions.web.visit import Visit
from infra.records import CHALLENGE_CHANGE, FRONT_GAME

Data = dict[str, Any]


def stand_in(you: Player | None) -> str | None:
    """The name of the doctrine that plays the turns this player misses: only they are told."""
    return str(you.stand_in["doctrine"]["name"]) if you and you.stand_in and "doctrine" in you.stand_in else None


def ruled(turn: Turn, you: Player | None) -> Data | None:
    """What the rules of the player's own default doctrine did, if it played the turn: nobody else is told (F28)."""
    sheet = turn.sheets.get(you.seat) if you else None
    if you is None or you.stand_in is None or sheet is None or sheet.by != "stand_in" or "doctrine" not in you.stand_in:
        return None
    return {"doctrine": you.stand_in["doctrine"], "notes": sheet.notes}


def rated(duel: Duel) -> Data:
    """Whether the game is rated and why not, as shown at its start; {} for those that never are."""
    return {} if duel.rated is None else {"rated": duel.rated, "unrated_why": duel.unrated_why}


def judged(duel: Duel, after: Data | None) -> Data:
    """The same beside a challenge's result, where something has come up since; {} for other games (P23)."""
    if duel.kind != "challenge" or duel.stage != "ended":
        return {}
    why = (after["why"] if after else "") or challenges.why_not(duel)
    return {"rated": not why, "unrated_why": why}


def afterwards(visit: Visit, duel: Duel, you: Player | None) -> Data | None:
    """What a game that is over did: a challenge to the member's rating (P16), a Front's to its day; one read.

    Why a Front is not ranked is told to its member alone.
    """
    if duel.stage != "ended" or duel.kind not in ("challenge", "front"):
        return None
    member = duel.members[0].member
    if duel.kind == "challenge":
        moved = visit.site.store.get(CHALLENGE_CHANGE, member, duel.id)
        if moved is None:
            return None
        why = "voided" if moved.value.voided else moved.value.why
        return {"before": moved.value.before / 10, "after": moved.value.after / 10, "why": why}
    entry = visit.site.store.get(FRONT_GAME, duel.front, member)
    if entry is None or entry.value.game != duel.id or entry.value.ended is None:
        return None
    return {"ranked": entry.value.ranked, "why": entry.value.why if you else ""}
