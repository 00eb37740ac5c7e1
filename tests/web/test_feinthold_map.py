"""The map a Feinthold player sees: where things are drawn, and the same in words."""

from itertools import combinations

import pytest

from engine.games.feinthold.layouts import LAYOUTS, POSITIONS
from functions.web.boards import feinthold as board
from functions.web.boards.feinthold.map import Marks
from functions.web.boards.feinthold.places import MIDDLE, point, role
from infra.i18n import LANGS, translator
from tests.web.support import SHEETS, played, random_games, view

Point = tuple[float, float]


def test_own_hq_is_at_the_bottom_for_either_side() -> None:
    for side, own, theirs in (("a", "hq_a", "hq_b"), ("b", "hq_b", "hq_a")):
        heights = {at: point(at, side)[1] for at in POSITIONS}
        assert max(heights, key=heights.__getitem__) == own
        assert min(heights, key=heights.__getitem__) == theirs


def test_a_half_turn_swaps_the_sides() -> None:
    for at in POSITIONS:
        (x, y), (u, v) = point(at, "a"), point(at, "b")
        assert (x + u, y + v) == (2 * MIDDLE[0], 2 * MIDDLE[1])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_layout_has_paths_that_cross(layout: int) -> None:
    roads = board.blank(layout).roads
    for one, other in combinations(roads, 2):
        if not set(one.ends) & set(other.ends):
            assert not _cross((one.x1, one.y1), (one.x2, one.y2), (other.x1, other.y1), (other.x2, other.y2))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_path_runs_through_a_third_position(layout: int) -> None:
    drawn = board.blank(layout)
    for road in drawn.roads:
        for spot in drawn.spots:
            if spot.at not in road.ends:
                assert _apart((road.x1, road.y1), (road.x2, road.y2), (spot.x, spot.y)) > 40


def test_both_sides_see_the_same_map_from_their_own_end() -> None:
    state = played()
    for mine, theirs in zip(board.draw(view(state, "a")).spots, board.draw(view(state, "b")).spots, strict=True):
        assert (mine.x, mine.y, mine.role, mine.kind) == (theirs.x, theirs.y, theirs.role, theirs.kind)
        assert role(mine.at, "a") == role(theirs.at, "b")


def test_it_shows_what_the_view_holds_and_no_more() -> None:
    for state in random_games(6):
        seen = view(state, "b")
        for spot in board.draw(seen).spots:
            assert spot.units == seen["units"].get(spot.at, 0)
            assert spot.decoys == seen["decoys"].get(spot.at, 0)
            assert spot.presence == seen["presence"].get(spot.at)
            assert spot.owner == {"b": "mine", "a": "theirs", None: "neutral"}[seen["flags"][spot.at]]
            assert (spot.last is None) == (spot.at not in seen["last"])


def test_everything_is_shown_to_the_eyes_of_all() -> None:
    state = played()
    whole = view(state, "all")
    drawn = board.draw(whole, SHEETS[-1], "b")
    assert drawn.whole
    planned = {spot.at: (spot.marks, spot.far_marks) for spot in drawn.spots}
    assert planned["fwd_a"] == (Marks(scout=True), Marks(units=2, entrench=True))
    assert planned["centre"] == (Marks(), Marks(predict=True))
    assert planned["fwd_b"] == (Marks(units=1, decoys=1), Marks())
    assert drawn.side == "b"
    shown = {spot.at: (spot.force, spot.units) for spot in drawn.spots if spot.units}
    mine = {at: ("mine", n) for at, n in whole["units"]["b"].items()}
    assert shown == mine | {at: ("theirs", n) for at, n in whole["units"]["a"].items()}
    assert {(a.source, a.to, a.whose, a.units, a.decoys) for a in drawn.arrows} == {
        ("fwd_a", "centre", "theirs", 2, 0),
        ("hq_a", "post_a", "theirs", 1, 1),
        ("fwd_b", "centre", "mine", 1, 0),
        ("hq_b", "fwd_b", "mine", 2, 0),
    }


def test_orders_become_arrows_and_marks() -> None:
    drawn = board.draw(view(played(7, SHEETS[:1]), "a"), {"a": SHEETS[1]["a"]})
    spots = {spot.at: spot.marks for spot in drawn.spots}
    assert (spots["fwd_a"].units, spots["fwd_a"].entrench) == (2, True)
    assert spots["centre"].predict
    assert [(a.source, a.to, a.units, a.decoys) for a in drawn.arrows] == [
        ("fwd_a", "centre", 2, 0),
        ("hq_a", "post_a", 1, 1),
    ]


def test_every_move_that_can_be_ordered_has_an_arrow_waiting() -> None:
    seen = view(played(), "a")
    drawn = board.plan(seen, {"move": [{"from": "fwd_a", "to": "centre", "units": 1}]})
    ready = {spot.at: spot.neighbours for spot in drawn.spots if spot.units or spot.decoys}
    assert {(a.source, a.to) for a in drawn.arrows} == {(at, to) for at, near in ready.items() for to in near}
    assert [(a.source, a.to) for a in drawn.arrows if a.units] == [("fwd_a", "centre")]


def test_arrows_there_and_back_keep_apart() -> None:
    moves = [{"from": "fwd_a", "to": "centre", "units": 1}, {"from": "centre", "to": "fwd_a", "units": 1}]
    there, back = board.draw(view(played(), "a"), {"a": {"move": moves}}).arrows
    assert abs(there.x - back.x) + abs(there.y - back.y) > 15
    assert _apart(there.line[:2], there.line[2:], back.line[:2]) > 10


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("voice", ["label", "plain"])
def test_every_position_has_its_words(lang: str, voice: str) -> None:
    t = translator(lang)
    for state in random_games(3, b"words"):
        for eyes in ("a", "all"):
            said = [board.describe(t, spot, voice) for spot in board.draw(view(state, eyes)).spots]
            assert len(set(said)) == 7


def test_words_and_grey_figures_say_the_same() -> None:
    t = translator("en")
    spots = {spot.at: spot for spot in board.draw(view(played(), "b")).spots}
    assert board.describe(t, spots["fwd_a"]) == "Far relay: enemy flag, 3 units and decoys counted on turn 2"
    grey = [board.short(t, last) for at in ("fwd_a", "centre") if (last := spots[at].last)]
    assert grey == ["3 · t2", "⚔ 2.0 · t2"]
    assert board.describe(t, spots["centre"]) == "Centre: enemy flag, enemy presence, strength 2.0 in combat on turn 2"


def _side(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _side(a, b, c) * _side(a, b, d) <= 0 and _side(c, d, a) * _side(c, d, b) <= 0


def _apart(a: Point, b: Point, p: Point) -> float:
    """How far a point is from a segment."""
    length = (b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2
    way = max(0.0, min(1.0, ((p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])) / length))
    return float(((a[0] + way * (b[0] - a[0]) - p[0]) ** 2 + (a[1] + way * (b[1] - a[1]) - p[1]) ** 2) ** 0.5)
