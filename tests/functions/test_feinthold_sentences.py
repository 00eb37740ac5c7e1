"""What a Feinthold player is told, in both languages: each sentence against its golden text.

`python -m tests.functions.test_feinthold_sentences` writes the golden texts anew, to be read before they are kept.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from engine.games import feinthold
from engine.games.draws import SeededDice
from engine.games.feinthold import layouts
from engine.games.protocol import Sent
from functions.web.boards import feinthold as board
from infra.i18n import LANGS, Translator, translator

GOLDEN: Final = Path(__file__).parent / "golden"
RULES: Final = Path(__file__).parents[2] / "docs" / "rules" / "feinthold.md"
Fact = Mapping[str, Any]

LONE: Final = {"open": 0, "entrenched": 0, "arrived": 0, "lost": 0, "decoys": 0}
FACTS: Final[tuple[Fact, ...]] = (
    {"code": "no_orders", "detail": {}},
    {"code": "placed", "detail": {"at": "hq_a", "units": 2, "decoys": 1}},
    {"code": "placed", "detail": {"at": "fwd_a", "units": 1, "decoys": 0}},
    {"code": "placed", "detail": {"at": "centre", "units": 0, "decoys": 2}},
    {"code": "moved", "detail": {"from": "hq_a", "to": "fwd_a", "units": 3, "decoys": 0}},
    {"code": "moved", "detail": {"from": "centre", "to": "fwd_b", "units": 1, "decoys": 1}},
    {"code": "moved", "detail": {"from": "post_b", "to": "hq_b", "units": 0, "decoys": 1}},
    {"code": "entrenched", "detail": {"at": "fwd_a"}},
    {"code": "entrenched", "detail": {"at": "centre"}},
    {"code": "own_unmasked", "detail": {"at": "post_b", "decoys": 1}},
    {"code": "own_unmasked", "detail": {"at": "hq_b", "decoys": 3}},
    {"code": "enemy_unmasked", "detail": {"at": "post_a", "decoys": 1}},
    {"code": "enemy_unmasked", "detail": {"at": "hq_a", "decoys": 2}},
    {"code": "combat_won", "detail": {**LONE, "at": "fwd_b", "own": 7.0, "enemy": 6.0, "arrived": 7, "lost": 3}},
    {
        "code": "combat_won",
        "detail": {
            "at": "hq_a",
            "own": 9.5,
            "enemy": 3.0,
            "open": 1,
            "entrenched": 5,
            "arrived": 1,
            "lost": 1,
            "decoys": 2,
        },
    },
    {"code": "combat_won", "detail": {**LONE, "at": "centre", "own": 2.0, "enemy": 0.0, "open": 2}},
    {"code": "combat_lost", "detail": {**LONE, "at": "fwd_a", "own": 1.0, "enemy": 4.0, "open": 1, "lost": 1}},
    {"code": "combat_lost", "detail": {**LONE, "at": "centre", "own": 0.0, "enemy": 2.0, "decoys": 2}},
    {
        "code": "combat_tied",
        "detail": {
            "at": "fwd_a",
            "own": 6.0,
            "enemy": 6.0,
            "open": 0,
            "entrenched": 2,
            "arrived": 3,
            "lost": 5,
            "decoys": 0,
        },
    },
    {"code": "combat_tied", "detail": {**LONE, "at": "centre", "own": 0.0, "enemy": 0.0, "decoys": 1}},
    {"code": "took_neutral", "detail": {"at": "centre"}},
    {"code": "took_enemy", "detail": {"at": "fwd_b"}},
    {"code": "enemy_took_neutral", "detail": {"at": "post_b"}},
    {"code": "enemy_took_own", "detail": {"at": "fwd_a"}},
    {"code": "own_neutral", "detail": {"at": "centre"}},
    {"code": "enemy_neutral", "detail": {"at": "fwd_b"}},
    {"code": "scouted", "detail": {"at": "hq_b", "count": 0}},
    {"code": "scouted", "detail": {"at": "centre", "count": 1}},
    {"code": "scouted", "detail": {"at": "fwd_b", "count": 4}},
    {"code": "prediction_right", "detail": {"at": "centre"}},
    {"code": "prediction_wrong", "detail": {"at": "hq_a"}},
    {
        "code": "income",
        "detail": {"base": 5, "relays": 0, "from_relays": 0, "bonus": 0, "total": 5, "points": 5},
    },
    {
        "code": "income",
        "detail": {"base": 5, "relays": 1, "from_relays": 2, "bonus": 0, "total": 7, "points": 7},
    },
    {
        "code": "income",
        "detail": {"base": 5, "relays": 3, "from_relays": 6, "bonus": 1, "total": 12, "points": 14},
    },
    *(
        {"code": "end", "detail": {"winner": "a", "by": by}}
        for by in ("hq", "breakthrough", "positions", "income", "units")
    ),
    *(
        {"code": "end", "detail": {"winner": "b", "by": by}}
        for by in ("hq", "breakthrough", "positions", "income", "units")
    ),
    {"code": "end", "detail": {"winner": None, "by": "draw"}},
)
ORDERS: Final[Mapping[str, Any]] = {
    "reinforce": [{"at": "hq_a", "units": 2, "decoys": 1}, {"at": "centre", "units": 0, "decoys": 1}],
    "move": [{"from": "hq_a", "to": "fwd_a", "units": 3, "decoys": 0}, {"from": "centre", "to": "post_b", "units": 1}],
    "entrench": ["fwd_a"],
    "scout": ["fwd_b", "hq_b"],
    "predict": "centre",
}
PROBLEMS: Final[tuple[tuple[str, str | None, Mapping[str, Any]], ...]] = (
    ("not_enough_points", None, {"cost": 14, "have": 12}),
    ("bad_position", "mars", {}),
    ("not_yours", "fwd_b", {}),
    ("not_linked", "centre", {}),
    ("post", "post_a", {}),
    ("too_many_here", "hq_a", {"limit": 4, "placed": 6}),
    ("nothing_placed", "hq_a", {}),
    ("not_adjacent", "hq_a", {"to": "hq_b"}),
    ("nothing_moves", "hq_a", {"to": "fwd_a"}),
    ("not_enough_units", "fwd_a", {"ordered": 6, "have": 3}),
    ("not_enough_decoys", "fwd_a", {"ordered": 2, "have": 0}),
    ("duplicate", "fwd_a", {}),
    ("already_entrenched", "hq_a", {}),
    ("nothing_to_entrench", "fwd_a", {}),
    ("own_position", "fwd_a", {}),
    ("too_many_scouts", None, {"limit": 2, "ordered": 3}),
    ("bad_number", "fwd_a", {}),
    ("bad_shape", None, {"key": "attack"}),
)


def told(t: Translator) -> Iterator[str]:
    """Every sentence, with what it is about."""
    for fact in FACTS:
        yield f"{fact['code']}: {board.tell(t, 'a', fact)}"
    for line in (*board.orders(t, "a", ORDERS), *board.orders(t, "a", {})):
        yield f"order: {line}"
    for code, at, detail in PROBLEMS:
        yield f"problem {code}: {board.problem(t, 'a', code, at, detail)}"
    names = {"a": "Ada", "b": "Bruno"}
    for by in ("hq", "breakthrough", "positions", "income", "units"):
        yield f"outcome: {board.outcome(t, None, 'a', by, names)}"
    yield f"outcome: {board.outcome(t, None, None, 'draw', names)}"


@pytest.mark.parametrize("lang", LANGS)
def test_every_sentence_reads_as_agreed(lang: str) -> None:
    golden = (GOLDEN / lang / "feinthold.txt").read_text("utf-8").splitlines()
    assert list(told(translator(lang))) == golden


def test_every_fact_of_the_rules_has_a_golden_text() -> None:
    assert _codes("## Report", "## Doctrines") == {fact["code"] for fact in FACTS}


def test_every_error_of_the_rules_has_a_golden_text() -> None:
    assert _codes("What each error code means", "Rulings on these codes") == {code for code, _, _ in PROBLEMS}


@pytest.mark.parametrize("lang", LANGS)
def test_roles_turn_with_the_reader(lang: str) -> None:
    t = translator(lang)
    for at, across in zip(layouts.POSITIONS, reversed(layouts.POSITIONS), strict=True):
        a = board.tell(t, "a", {"code": "took_neutral", "detail": {"at": at}})
        b = board.tell(t, "b", {"code": "took_neutral", "detail": {"at": across}})
        assert a == b


@pytest.mark.parametrize("lang", LANGS)
def test_each_sentence_holds_the_figures_of_its_fact(lang: str) -> None:
    t = translator(lang)
    for fact in FACTS:
        sentence = board.tell(t, "a", fact).replace(",", ".")
        for key, figure in fact["detail"].items():
            if isinstance(figure, int | float) and figure:
                assert str(figure) in sentence, (fact, key, sentence)


@pytest.mark.parametrize("lang", LANGS)
def test_a_played_turn_is_told_fact_by_fact(lang: str) -> None:
    t = translator(lang)
    state = feinthold.start({"layout": 10}, 2, SeededDice(b"", 0))
    raw = {"move": [{"from": "hq_a", "to": "fwd_a", "units": 2}, {"from": "hq_a", "to": "post_a", "units": 1}]}
    resolved = feinthold.resolve(state, {"a": Sent(feinthold.parse(raw))}, SeededDice(b"", 1))
    mine = [f for f in resolved.facts if f.known_to is None or "a" in f.known_to]
    sentences = [board.tell(t, "a", {"code": f.code, "detail": f.detail}) for f in mine]
    assert len(set(sentences)) == len(sentences) == 5  # two moves, two flags, the income


def test_an_unknown_fact_is_refused() -> None:
    with pytest.raises(KeyError):
        board.tell(translator("en"), "a", {"code": "rumour", "detail": {}})


def _codes(start: str, stop: str) -> set[str]:
    """The codes in the first and third columns of the table between two places of the rules page."""
    page = RULES.read_text("utf-8")
    rows = [
        line.split("|") for line in page[page.index(start) : page.index(stop)].splitlines() if line.startswith("| `")
    ]
    return {code for row in rows for column in (1, 3) for code in re.findall(r"`(\w+)`", row[column])}


def write_golden() -> None:
    """Write what is said now as the golden texts."""
    for lang in LANGS:
        path = GOLDEN / lang / "feinthold.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(told(translator(lang))) + "\n", "utf-8")


if __name__ == "__main__":
    write_golden()
