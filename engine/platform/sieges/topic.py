"""What is said in public: reactions to results, and what moderators hide (T16)."""

import hashlib
from dataclasses import dataclass, replace
from typing import Final

from engine.decisions import Decision, Kept, Put, was
from engine.errors import Malformed, Problem, Refusal
from engine.platform.members import MemberId
from engine.platform.sieges.records import LONGEST_TEXT, Post, Siege, Voice
from engine.times import Instant

MOST_REACTIONS: Final = 20  # of a player to the results of one turn


@dataclass(frozen=True, slots=True)
class React:
    """A player says something about the results of the last turn. `request` names the form."""

    member: MemberId
    text: str
    request: str
    received: Instant


def open_to(siege: Siege, member: MemberId | None, now: Instant) -> bool:
    """Whether this member may post reactions now: who began, from the draw until 7 days after the last turn (T16)."""
    player = siege.player(member)
    if player is None or not player.began or siege.last is None:
        return False
    return siege.stage == "playing" or (siege.talking_ends is not None and now <= siege.talking_ends)


def react(siege: Siege, voice: Kept[Voice] | None, command: React, now: Instant) -> Decision[Post | None]:
    """Post a reaction; None if this form was sent before.

    Raises Malformed (`text_missing`, `text_long`). Refused: `not_playing`, `topic_closed`, `too_many_reactions`.
    """
    player = siege.player(command.member)
    if player is None or not player.began:
        raise Refusal("not_playing")
    turn = siege.last
    if turn is None or not open_to(siege, command.member, now):
        raise Refusal("topic_closed")
    said = voice.value.requests if voice and voice.value.turn == turn else ()
    name = hashlib.sha256(command.request.encode()).hexdigest()[:16]
    if name in said:
        return Decision((), None)
    text = command.text.strip()
    if not text:
        raise Malformed(Problem("text_missing", field="text"))
    if len(text) > LONGEST_TEXT:
        raise Malformed(Problem("text_long", field="text", detail={"most": LONGEST_TEXT}))
    if len(said) >= MOST_REACTIONS:
        raise Refusal("too_many_reactions", most=MOST_REACTIONS)
    post = Post(siege.id, turn, f"1.{now:014d}.{player.seat}", player.seat, text, now)
    heard = Voice(siege.id, player.seat, turn, (*said, name))
    return Decision((Put(heard, was(voice)), Put(post, 0)), post)


def public(siege: Siege, post: Post) -> bool:
    """Whether a text may be shown to everybody: one that went with orders only once their turn is resolved."""
    return bool(post.text) and (not post.prelude or post.turn in siege.resolved)


def hide(post: Kept[Post], reason: str, by: str) -> Decision[Post]:
    """Hide a text from everybody, with the reason that is shown in its place, by an act (P29); the first one holds."""
    if post.value.hidden:
        return Decision((), post.value)
    hidden = replace(post.value, hidden=reason, hidden_by=by)
    return Decision((Put(hidden, post.version),), hidden)


def show(post: Kept[Post], by: str) -> Decision[Post]:
    """Show again what this act hid: it was undone (P29)."""
    if not post.value.hidden or post.value.hidden_by != by:
        return Decision((), post.value)
    shown = replace(post.value, hidden="", hidden_by="")
    return Decision((Put(shown, post.version),), shown)
