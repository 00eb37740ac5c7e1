"""What a doctrine can say (F27): its conditions and actions, and the lists their words and numbers come from."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

VERSION: Final = 1
MOST_RULES: Final = 8
MOST_CONDITIONS: Final = 3
MOST_ACTIONS: Final = 2
LONGEST_NAME: Final = 40

# The seven roles in the order in which the enemy's side mirrors them, then two that the situation decides.
PLACES: Final = (
    "my_hq", "my_forward", "my_post", "centre", "their_post", "their_forward", "their_hq",
    "strongest", "most_threatened",
)  # fmt: skip
STRONGEST, MOST_THREATENED = 7, 8
OPERATORS: Final = (">=", "<=")
OWNERS: Final = ("mine", "neutral", "theirs")
SHARES: Final = ("half", "all", "all_but_one")

# By condition or action: its parameters in order, each with its list. "n" and the like give the bounds of a number.
Parameter = tuple[str, str, int, int]  # key, kind of list, least, most


def _number(key: str, least: int, most: int) -> Parameter:
    return (key, "number", least, most)


_PLACE: Final[Parameter] = ("place", "place", 0, 0)
_OP: Final[Parameter] = ("op", "op", 0, 0)
_OWNER: Final[Parameter] = ("owner", "owner", 0, 0)
_UNITS: Final = _number("units", 0, 12)
_DECOYS: Final = _number("decoys", 0, 4)

CONDITIONS: Final[Mapping[str, tuple[Parameter, ...]]] = MappingProxyType(
    {
        "always": (),
        "turn": (_OP, _number("n", 1, 8)),
        "points": (_OP, _number("n", 0, 20)),
        "relays": (_OP, _number("n", 0, 3)),
        "positions": (_OP, _number("n", 0, 7)),
        "units": (_PLACE, _OP, _number("n", 0, 12)),
        "flag": (_PLACE, _OWNER),
        "presence": (_PLACE,),
        "observed": (_PLACE, _OP, _number("n", 0, 12), _number("within", 1, 8)),
        "threat": (),
    }
)
ACTIONS: Final[Mapping[str, tuple[Parameter, ...]]] = MappingProxyType(
    {
        "reinforce": (_PLACE, _UNITS, _DECOYS),
        "move": (("from", "place", 0, 0), ("to", "place", 0, 0), ("units", "amount", 0, 12), _DECOYS),
        "entrench": (_PLACE,),
        "scout": (_PLACE,),
        "predict": (_PLACE,),
    }
)

Word = int | str  # places by number, numbers, and the words of the other lists


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition or an action: its kind, and its parameters in the order of its list."""

    kind: str
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """If all conditions hold, all actions are tried in order."""

    conditions: tuple[Clause, ...]
    actions: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Doctrine:
    """A named list of rules, read from the first to the last."""

    name: str
    rules: tuple[Rule, ...]
