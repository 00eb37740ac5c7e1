"""Texts of sieges as moderators deal with them: found once they are public, hidden and shown again (T16, P29)."""

from engine.decisions import Decision
from engine.errors import Refusal
from engine.platform.members import MemberId
from engine.platform.moderation.records import Act
from engine.platform.sieges import topic
from engine.platform.sieges.records import Post, Siege
from functions.acting import act
from functions.reports import close_all
from functions.sieges import siege_row
from infra.i18n import Translator
from infra.records import SIEGE, SIEGE_POST
from infra.site import Site
from infra.store import Row


def text_key(siege: str, turn: int, post: str) -> str:
    """What reports and acts call a text."""
    return f"siege/{siege}/{turn}/{post}"


def public_text(site: Site, key: str) -> tuple[Siege, Row[Post]]:
    """A text that everybody has been shown, hidden since or not; two reads.

    Refused: `no_such_text`, alike for one that is not there and one that is still secret (T16, P30).
    """
    siege, turn, post = _parts(key)
    row = site.store.get(SIEGE, siege)
    text = site.store.get(SIEGE_POST, siege, turn, post) if row else None
    if row is None or text is None or not topic.public(row.value, text.value):
        raise Refusal("no_such_text")
    return row.value, text


def author(siege: Siege, post: Post) -> MemberId | None:
    """Who wrote it."""
    player = siege.seat(post.seat)
    return player.member if player else None


def hide(site: Site, taken: Act) -> None:
    """Hide the text with the act's reason, and close what was reported of it; nothing if it is hidden."""

    def decide() -> Decision[Post]:
        _, row = public_text(site, taken.about)
        return topic.hide(row, taken.reason, taken.id)

    act(site, decide)
    close_all(site, "text", taken.about)


def show(site: Site, taken: Act) -> None:
    """Show the text again that this act hid."""

    def decide() -> Decision[Post]:
        _, row = public_text(site, taken.about)
        return topic.show(row, taken.id)

    act(site, decide)


def named(site: Site, taken: Act, t: Translator) -> str:
    """The siege that an act is about, with the turn of a text; blank for acts about anything else."""
    if taken.what == "stop_siege":
        return siege_row(site, taken.about).value.name
    if taken.what != "hide_text":
        return ""
    siege, row = public_text(site, taken.about)
    return f"{siege.name} · {turn_name(row.value.turn, t)}"


def turn_name(turn: int, t: Translator) -> str:
    """What a turn is called."""
    return t("sieges.turn", turn=turn) if turn > 0 else t("sieges.setting_up")


def _parts(key: str) -> tuple[str, int, str]:
    kind, _, rest = key.partition("/")
    siege, _, rest = rest.partition("/")
    turn, _, post = rest.partition("/")
    bare = turn.removeprefix("-")
    if kind != "siege" or not (bare.isascii() and bare.isdigit() and len(bare) < 5 and siege and post):
        raise Refusal("no_such_text")
    return siege, int(turn), post
