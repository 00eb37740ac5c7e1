"""What the map shows, in words: the text equivalent of every position."""

from functions.web.boards.feinthold.map import Last, Spot
from functions.web.boards.feinthold.sentences import Translator, forces, strength


def describe(t: Translator, spot: Spot, voice: str = "label") -> str:
    """A position in one sentence: its name, its flag, what stands there, what is seen or was last seen.

    The voice is `label` to the side's own player ("your HQ"), `plain` to anybody else ("bottom HQ").
    """
    parts = [flag(t, spot, voice), army(t, spot, voice), sight(t, spot), memory(t, spot)]
    return t("feinthold.spot", name=t(f"feinthold.{voice}.{spot.role}"), state=", ".join(p for p in parts if p))


def flag(t: Translator, spot: Spot, voice: str = "label") -> str:
    """Whose flag flies there."""
    return t(f"feinthold.flag.{voice}.{spot.owner}")


def army(t: Translator, spot: Spot, voice: str = "label") -> str:
    """The units and decoys shown there; "" for none."""
    if not (spot.units or spot.decoys):
        return ""
    held = forces(t, spot.units, spot.decoys)
    return held if spot.force == "mine" else t(f"feinthold.army.{voice}", what=held)


def sight(t: Translator, spot: Spot) -> str:
    """Whether an enemy is seen there now; "" where nothing is in sight or the flag is one's own."""
    return "" if spot.presence is None else t(f"feinthold.sight.{'some' if spot.presence else 'none'}")


def memory(t: Translator, spot: Spot) -> str:
    """The last observation with its turn; "" for none."""
    last = spot.last
    if last is None:
        return ""
    if last.kind == "presence":
        return t(f"feinthold.memory.{'some' if last.value else 'none'}", turn=last.turn)
    if last.kind == "combat":
        return t("feinthold.memory.combat", strength=strength(t, float(last.value)), turn=last.turn)
    return t("feinthold.memory.scout", n=int(last.value), turn=last.turn)


def short(t: Translator, last: Last) -> str:
    """The last observation as the map writes it, in grey: "4 · t3"."""
    if last.kind == "presence":
        return t(f"feinthold.grey.{'some' if last.value else 'none'}", turn=last.turn)
    if last.kind == "combat":
        return t("feinthold.grey.combat", strength=strength(t, float(last.value)), turn=last.turn)
    return t("feinthold.grey.scout", count=int(last.value), turn=last.turn)
