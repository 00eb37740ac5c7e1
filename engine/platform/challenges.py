"""Challenges: a game against a doctrine that moves the member's challenge rating and the doctrine's (P15, P16, P23)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from engine.decisions import Change, Decision, Kept, Put, was
from engine.errors import Refusal
from engine.games.protocol import Seat
from engine.platform.challenge_months import Months
from engine.platform.doctrines import Contender
from engine.platform.duels.records import Duel, DuelId, Player
from engine.platform.duels.solo import Solo, play
from engine.platform.elo import START, Rating, Score, gained
from engine.platform.members import MemberId
from engine.times import DAY, Instant

PACE: Final = "days3"
RATED_IN_A_WEEK: Final = 3
WEEK: Final = 7 * DAY

Why = Literal["", "often", "linked", "frozen", "superhuman", "no_result", "stand_in", "voided"]  # "": rated


@dataclass(frozen=True, slots=True)
class Meeting:
    """What a member and a doctrine have had with each other: the game under way, the rated starts of the last week."""

    member: MemberId
    doctrine: MemberId
    running: DuelId | None = None
    starts: tuple[Instant, ...] = ()


@dataclass(frozen=True, slots=True)
class Challenger:
    """A member's challenge rating, in tenths, and the results of the rated challenges. `gone`: the account is deleted,
    and lists leave it out."""

    member: MemberId
    rating: Rating = START
    won: int = 0
    drawn: int = 0
    lost: int = 0
    gone: bool = False

    @property
    def games(self) -> int:
        """How many rated challenges there were."""
        return self.won + self.drawn + self.lost

    @property
    def listed(self) -> bool:
        """Whether it stands on the ranking."""
        return self.games > 0 and not self.gone


@dataclass(frozen=True, slots=True)
class ChallengeChange:
    """What one challenge did to one rating, the member's or the doctrine's (P16). `score`: 0 lost, 1 drawn, 2 won.

    A challenge that was to be rated and moved nothing after all says `why`, in the member's change alone.
    """

    subject: MemberId
    game: DuelId
    at: Instant
    other: MemberId
    before: Rating
    after: Rating
    score: Score
    voided: bool = False
    why: Why = ""


def unrated_because(meeting: Meeting | None, findings: Sequence[Why], now: Instant) -> Why:
    """Why a challenge that starts now is not rated, "" if it is; shown before and at the start (P23).

    `findings` are reasons from outside, the weightiest first: linked accounts, frozen ratings. Else the first three
    rated starts within seven rolling days are rated.
    """
    if findings:
        return findings[0]
    return "often" if len(_recent(meeting, now)) >= RATED_IN_A_WEEK else ""


def rated_again_at(meeting: Meeting | None, now: Instant) -> Instant | None:
    """When the next challenge between them is rated again, None if one that starts now is."""
    recent = _recent(meeting, now)
    return Instant(recent[-RATED_IN_A_WEEK] + WEEK) if len(recent) >= RATED_IN_A_WEEK else None


def start(
    id: DuelId,
    wanted: Solo,
    meeting: Kept[Meeting] | None,
    under_way: Duel | None,
    findings: Sequence[Why],
    seed: bytes,
    now: Instant,
) -> Decision[Duel]:
    """Begin a challenge, rated or not from the start; layout and side are drawn.

    `under_way` is the game that `meeting` names as running. Refused: `challenge_running`, with the `game`.
    """
    if under_way is not None and under_way.stage != "ended":
        raise Refusal("challenge_running", game=under_way.id)
    before = meeting.value if meeting else Meeting(wanted.member, wanted.rival)
    why = unrated_because(before, findings, now)
    begun = play(id, replace(wanted, rated=not why, why=why), seed, now)
    starts = _recent(before, now) if why else (*_recent(before, now), now)
    met = replace(before, running=id, starts=starts)
    return Decision((*begun.changes, Put(met, was(meeting))), begun.answer)


def why_not(duel: Duel, findings: Sequence[Why] = ()) -> Why:
    """Why a challenge that is over moves no rating, "" if it does (P23).

    `findings` are reasons found since its start: orders faster than a human's. A loss, also by abandoning, always
    counts otherwise; a win or a draw only if more than half of the turns were the member's own.
    """
    player, result = duel.members[0], duel.result
    if not duel.rated:
        return _why(duel.unrated_why)
    if findings:
        return findings[0]
    if result is None or not result.counts:
        return "no_result"
    if result.winner not in (None, player.seat):
        return ""
    return "" if 2 * player.sheets > duel.played else "stand_in"


def settle(
    duel: Duel,
    meeting: Kept[Meeting] | None,
    challenger: Kept[Challenger] | None,
    contender: Kept[Contender] | None,
    there: ChallengeChange | None,
    months: Months,
    findings: Sequence[Why] = (),
) -> Decision[None]:
    """What follows a challenge: both ratings move, once, and the next one may start.

    `there` is the change this game has already made to the member's rating; `contender` is None before a house AI's
    first rated challenge.
    """
    if duel.stage != "ended" or duel.result is None or duel.ended is None:
        return Decision((), None)
    player = duel.members[0]
    rival = next(p for p in duel.players if p.policy is not None)
    changes: list[Change] = []
    if meeting is not None and meeting.value.running == duel.id:
        changes.append(Put(replace(meeting.value, running=None), meeting.version))
    why = why_not(duel, findings)
    if there is None and not why:
        changes += _moves(duel, duel.ended, player, rival, challenger, contender, months)
    elif there is None and duel.rated:
        rating = challenger.value.rating if challenger else START
        score = _score(duel, player.seat)
        kept = ChallengeChange(player.member, duel.id, duel.ended, rival.member, rating, rating, score, why=why)
        changes.append(Put(kept, 0))
    return Decision(tuple(changes), None)


def take_back(
    mine: Kept[ChallengeChange] | None,
    theirs: Kept[ChallengeChange] | None,
    challenger: Kept[Challenger],
    contender: Kept[Contender],
    months: Months,
) -> Decision[None]:
    """Undo exactly what a game did to both ratings, once: it is voided (P16, P29). `months` is of now."""
    if mine is None or theirs is None or mine.value.voided:
        return Decision((), None)
    return Decision(_undone(mine, theirs, challenger, contender, months, -1), None)


def give_again(
    mine: Kept[ChallengeChange] | None,
    theirs: Kept[ChallengeChange] | None,
    challenger: Kept[Challenger],
    contender: Kept[Contender],
    months: Months,
) -> Decision[None]:
    """Do once more exactly what a game did to both ratings: its voiding was undone (P29). `months` is of now."""
    if mine is None or theirs is None or not mine.value.voided:
        return Decision((), None)
    return Decision(_undone(mine, theirs, challenger, contender, months, 1), None)


def _undone(
    mine: Kept[ChallengeChange],
    theirs: Kept[ChallengeChange],
    challenger: Kept[Challenger],
    contender: Kept[Contender],
    months: Months,
    by: Literal[1, -1],
) -> tuple[Change, ...]:
    me, it = challenger.value, contender.value
    one, other = mine.value, theirs.value
    my_points, its_points = (by * (change.after - change.before) for change in (one, other))
    return (
        Put(replace(one, voided=by < 0), mine.version),
        Put(replace(other, voided=by < 0), theirs.version),
        Put(_counted(me, one.score, by, Rating(me.rating + my_points)), challenger.version),
        Put(_counted(it, other.score, by, Rating(it.rating + its_points)), contender.version),
        *_monthly(months, me, it, my_points, its_points, by),
    )


def _monthly(
    months: Months, me: Challenger, it: Contender, mine: int, its: int, games: Literal[1, -1]
) -> tuple[Put, ...]:
    """What both sides' months change by when the ratings `me` and `it` had before move by these points."""
    changes = months.moved(me.member, None, me.rating, mine, games)
    return (*changes, *months.moved(it.id, it.author, it.rating, its, games)) if it.author else changes


def _moves(
    duel: Duel,
    at: Instant,
    player: Player,
    rival: Player,
    challenger: Kept[Challenger] | None,
    contender: Kept[Contender] | None,
    months: Months,
) -> list[Change]:
    holder = months.holders[player.member]
    me = challenger.value if challenger else Challenger(player.member, gone=holder.gone)
    it = contender.value if contender else Contender(rival.member, None, "", published=True)
    score = _score(duel, player.seat)
    moved = gained(me.rating, it.rating, score)
    mine = Rating(me.rating + moved)
    its = Rating(it.rating - moved)
    against: Score = 2 if score == 0 else 0 if score == 2 else 1
    return [
        Put(_counted(me, score, 1, mine), was(challenger)),
        Put(_counted(it, against, 1, its), was(contender)),
        Put(ChallengeChange(me.member, duel.id, at, it.id, me.rating, mine, score), 0),
        Put(ChallengeChange(it.id, duel.id, at, me.member, it.rating, its, against), 0),
        *_monthly(months, me, it, mine - me.rating, its - it.rating, 1),
    ]


def _counted(subject: Challenger | Contender, score: Score, by: int, rating: Rating) -> Challenger | Contender:
    lost, drawn, won = (by if score == n else 0 for n in (0, 1, 2))
    return replace(subject, rating=rating, won=subject.won + won, drawn=subject.drawn + drawn, lost=subject.lost + lost)


def _score(duel: Duel, seat: Seat) -> Score:
    winner = duel.result.winner if duel.result else None
    return 1 if winner is None else 2 if winner == seat else 0


def _recent(meeting: Meeting | None, now: Instant) -> tuple[Instant, ...]:
    return tuple(at for at in meeting.starts if at > now - WEEK) if meeting else ()


def _why(text: str) -> Why:
    return next((why for why in get_args(Why) if why == text), "often")
