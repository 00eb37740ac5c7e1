"""What is left of a siege that is over: its story to read, its dice to check, all of it to take away (T16, T17)."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from engine.errors import Refusal
from engine.games import registry
from engine.games.draws import commitment
from engine.games.verify import verify
from engine.platform.sieges import topic
from engine.platform.sieges.records import Post, Siege, SiegeTurn
from engine.platform.sieges.stopping import stopped
from functions.outcomes import ending
from functions.sieges import seat_names, siege_row
from functions.web.boards import board
from functions.web.siege_page import base, outcome, told, your_part
from functions.web.topic import shown_posts
from functions.web.visit import Response, Visit
from infra.i18n import Translator
from infra.records import SIEGE_POST, SIEGE_TURN

Data = dict[str, Any]
VOLUME: Final = 200  # texts of a page of the story at most
LETTERS: Final = 120_000  # and their characters, beyond its first turn
CHAPTERS: Final = 20  # turns of a page of the story
MOST_TURNS: Final = 600
MOST_TEXTS: Final = 2_000
MARKDOWN: Final = "text/markdown; charset=utf-8"


def show(visit: Visit, id: str) -> Response[Any]:
    """The story as a book, a volume at a time (`?from=` a turn): of each turn its texts and what came of it."""
    siege = _over(visit, id)
    names = seat_names(visit.site, siege, visit.member)
    start = _from(siege, visit.query.get("from", ""))
    chapters, following = _volume(visit, siege, start)
    data = {
        **base(visit, siege, your_part(visit, siege), names),
        "chapters": [_chapter(visit, siege, names, *chapter) for chapter in chapters],
        "from": start,
        "first": min(siege.resolved),
        "next": following,
        "afterwards": _afterwards(visit, siege, names) if following is None else (),
        "outcome": outcome(visit, siege, names),
    }
    return visit.page("pages/sieges/story.html", data)


def markdown(visit: Visit, id: str) -> Response[Any]:
    """The whole story as one Markdown file."""
    siege = _over(visit, id)
    names = seat_names(visit.site, siege, visit.member)
    posts = [row.value for row in visit.site.store.query(SIEGE_POST, "", siege.id, limit=MOST_TEXTS).rows]
    parts = [f"# {siege.name}", visit.t("sieges.story.by", names=", ".join(names.values()))]
    for turn in _turns(visit, siege):
        mine = [post for post in posts if post.turn == turn.turn and topic.public(siege, post)]
        parts += _written(visit, siege, turn, mine, names)
    parts += [f"- {line}" for line in _afterwards(visit, siege, names)]
    parts += ending(visit.t, siege, names) if stopped(siege) else ()
    headers = {"Content-Disposition": f'attachment; filename="{siege.game}-{siege.id}.md"'}
    return Response(200, MARKDOWN, "\n\n".join(parts) + "\n", headers=headers)


def dice(visit: Visit, id: str) -> Response[Any]:
    """How the dice can be checked; after the end every roll beside what the seed gives (T17)."""
    siege = siege_row(visit.site, id).value
    you = your_part(visit, siege)
    names = seat_names(visit.site, siege, visit.member)
    data = {**base(visit, siege, you, names), "verdict": None, "turns": []}
    if siege.stage == "ended":
        turns = _turns(visit, siege)
        whole = verify(_download(siege, turns, names))
        data["verdict"] = {
            "honest": whole.honest,
            "committed": whole.committed,
            "turns": whole.turns,
            "rolls": whole.rolls,
            "differences": len(whole.differences),
        }
        data["turns"] = [{"turn": turn.turn, "rolls": turn.rolls} for turn in turns if turn.rolls]
    return visit.page("pages/sieges/dice.html", data)


def download(visit: Visit, id: str) -> Response[Any]:
    """The whole game as JSON: orders, facts, states and rolls of every turn, and the seed (T17)."""
    siege = _over(visit, id)
    data = _download(siege, _turns(visit, siege), seat_names(visit.site, siege, visit.member))
    return visit.file(data, f"{siege.game}-{siege.id}")


def _over(visit: Visit, id: str) -> Siege:
    siege = siege_row(visit.site, id).value
    if siege.stage != "ended":
        raise Refusal("no_story")
    return siege


def _turns(visit: Visit, siege: Siege) -> list[SiegeTurn]:
    rows = visit.site.store.query(SIEGE_TURN, "", siege.id, limit=MOST_TURNS).rows
    return _as_played(siege, (row.value for row in rows))


def _as_played(siege: Siege, turns: Iterable[SiegeTurn]) -> list[SiegeTurn]:
    """The turns in the order they were resolved, which is not that of their numbers: -1 comes after 0 (T3)."""
    return sorted(turns, key=lambda turn: siege.resolved.index(turn.turn))


def _volume(visit: Visit, siege: Siege, start: int) -> tuple[list[tuple[SiegeTurn, list[Post]]], int | None]:
    """Turns from `start` with their texts, as many as a page holds, and the turn after them; never less than one."""
    site = visit.site
    rows = site.store.query(SIEGE_TURN, "", siege.id, limit=CHAPTERS, start=(start,))
    turns = [row.value for row in rows.rows]
    texts = site.store.query(SIEGE_POST, "", siege.id, limit=VOLUME, start=(start,)).rows
    cut = _cut([row.value for row in texts])
    if cut is not None and turns and cut == turns[0].turn:
        texts = site.store.query(SIEGE_POST, "", siege.id, limit=2 * VOLUME, start=(start,), upto=(start,)).rows
        turns = turns[:1]
    elif cut is not None:
        turns = [turn for turn in turns if turn.turn < cut]
    chapters = [
        (turn, [row.value for row in texts if row.value.turn == turn.turn and topic.public(siege, row.value)])
        for turn in _as_played(siege, turns)
    ]
    last = turns[-1].turn if turns else start
    following = next((turn for turn in sorted(siege.resolved) if turn > last), None)
    return chapters, following


def _cut(posts: list[Post]) -> int | None:
    """The turn that no longer fits on a page with the texts before it; None if all of them do."""
    letters = 0
    for post in posts:
        letters += len(post.text)
        if letters > LETTERS:
            return post.turn
    return posts[-1].turn if len(posts) == VOLUME else None


def _chapter(visit: Visit, siege: Siege, names: Mapping[str, str], turn: SiegeTurn, posts: list[Post]) -> Data:
    told_ones = shown_posts(visit, posts, names)
    return {
        "turn": turn.turn,
        "preludes": [post for post in told_ones if post["prelude"]],
        "reactions": [post for post in told_ones if not post["prelude"]],
        "results": board(siege.game).headline(visit.t, _public(turn, siege), names),
        "view": registry.game(siege.game).show(_seen(siege, turn)) if turn.turn > 0 else None,
    }


def _seen(siege: Siege, turn: SiegeTurn) -> Any:
    """The map as everybody saw it at the time."""
    game = registry.game(siege.game)
    return game.view(game.load(turn.state), "public")


def _written(
    visit: Visit, siege: Siege, turn: SiegeTurn, posts: Iterable[Post], names: Mapping[str, str]
) -> Iterable[str]:
    t = visit.t
    yield f"## {t('sieges.turn', turn=turn.turn) if turn.turn > 0 else t('sieges.setting_up')}"
    told_ones = sorted(posts, key=lambda post: post.id)
    for post in (post for post in told_ones if post.prelude):
        yield f"### {names[post.seat]}"
        yield _text(t, post)
    yield "\n".join(f"- {line}" for line in board(siege.game).headline(t, _public(turn, siege), names))
    for post in (post for post in told_ones if not post.prelude):
        yield f"### {t('sieges.reaction_of', name=names[post.seat])}"
        yield _text(t, post)


def _afterwards(visit: Visit, siege: Siege, names: Mapping[str, str]) -> tuple[str, ...]:
    """What came after the last turn: who left, the end if it came by that."""
    news = told((f for f in siege.news if f.known_to is None), siege, None)
    return tuple(board(siege.game).headline(visit.t, news, names)) if news else ()


def _text(t: Translator, post: Post) -> str:
    """The text as it was written, or why it is not shown."""
    if not post.hidden:
        return post.text
    return "\n".join(f"> {line}" for line in t("sieges.hidden", reason=post.hidden).splitlines())


def _public(turn: SiegeTurn, siege: Siege) -> list[Data]:
    """What everybody was told at the time: the story keeps to it."""
    return told((f for f in turn.facts if f.known_to is None), siege, None)


def _download(siege: Siege, turns: Iterable[SiegeTurn], names: Mapping[str, str]) -> Data:
    result = siege.result
    return {
        "format": "hidden-orders/siege/1",
        "game": siege.game,
        "id": siege.id,
        "name": siege.name,
        "pace": siege.pace,
        "zone": siege.zone,
        "seats": [{"seat": seat, "member": name} for seat, name in names.items()],
        "started": siege.started,
        "ended": siege.ended,
        "result": {"by": result.by, "honours": result.honours} if result else None,
        "seed": siege.seed,
        "commitment": commitment(bytes.fromhex(siege.seed)),
        "turns": [_whole(turn) for turn in turns],
    }


def _whole(turn: SiegeTurn) -> Data:
    return {
        "turn": turn.turn,
        "opened": turn.opened,
        "closed": turn.closed,
        "by": turn.by,
        "sheets": {
            seat: {"orders": sheet.orders, "day": sheet.day, "received": sheet.received}
            for seat, sheet in turn.sheets.items()
        },
        "facts": [{"code": f.code, "detail": f.detail, "known_to": f.known_to} for f in turn.facts],
        "state": turn.state,
        "rolls": [list(roll) for roll in turn.rolls],
    }


def _from(siege: Siege, text: str) -> int:
    first = min(siege.resolved, default=0)
    bare = text.removeprefix("-")
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) < 5 else first
