"""Every kind of record, with its key and indexes: declared once, for every store."""

from typing import Any, Final

from engine.decisions import Job
from engine.platform.blocks import Block, Report
from engine.platform.challenge_months import ChallengeMonth
from engine.platform.challenges import ChallengeChange, Challenger, Meeting
from engine.platform.clocks import Pulse
from engine.platform.daily_front import Front, FrontGame, Monthly, Tally
from engine.platform.doctrines import Book, Contender
from engine.platform.duels.records import Desk, Duel, MemberGame, NoShow, Presence, Proposals, Turn
from engine.platform.fair_play.records import FrontSheets, Gains, Load, Shown, Tempo
from engine.platform.gifts import Gift
from engine.platform.guests import GuestGames
from engine.platform.ledger.records import Balance, Debt, Halt, Movement, Posting
from engine.platform.linking import BrowserUse
from engine.platform.links import Link
from engine.platform.mails import Mail
from engine.platform.marks import Mark
from engine.platform.members import Mailbox, Member
from engine.platform.moderation.records import Act, Concern, Forfeit
from engine.platform.names import Name
from engine.platform.rates import Rate
from engine.platform.ratings.records import Band, Rated, RatingChange, Standing
from engine.platform.rivalries import Opponents, Rivalry
from engine.platform.seasons.records import Honour, Season
from engine.platform.sessions import Session
from engine.platform.sieges.records import Entry as SiegeEntry
from engine.platform.sieges.records import Post, Siege, SiegeTurn, Voice
from engine.platform.sign_in import SignIn
from engine.platform.tournaments.records import Entry as CupEntry
from engine.platform.tournaments.records import OpenCups, Tournament
from engine.platform.unsettled import ended
from engine.times import DAY, SECOND, Instant
from infra.store import Entry, Index, Kind, Order, down

DUE_SHARDS: Final = 4


def shard(job_id: str) -> int:
    """Which of the `due` index's parts a job stands in: the same for the same id, always."""
    return sum(job_id.encode()) % DUE_SHARDS


def watched(game: str) -> str:
    """Under which name the index `open` has the games of this kind that anybody may watch."""
    return f"watch/{game}"


def _public(duel: Duel) -> Entry | None:
    """Duels that lists show to everybody: open proposals by game, and games to watch, each the latest first."""
    if duel.open:
        return Entry((duel.game,), (down(duel.proposed), duel.id))
    return Entry((watched(duel.game),), (down(duel.begun or 0), duel.id)) if duel.shown else None


def _running(duel: Duel, number: int) -> Entry | None:
    """A member's duels under way, one index for each chair: those that wait for the member first (0), by deadline."""
    if len(duel.players) <= number or duel.stage not in ("ready", "playing"):
        return None
    player = duel.players[number]
    if player.policy is not None:
        return None
    return Entry((player.member,), (0 if duel.waits_for(player) else 1, duel.deadline or duel.proposed, duel.id))


def standing_order(s: Standing) -> Order:
    """The place of a standing on its board: by rating, then most rated games, then the older account (P26)."""
    return (0 if s.placed else 1, down(s.tenths), down(s.games), s.joined)


def _settling(job: Job) -> Entry | None:
    """Games that are over and not settled yet, by when they ended: a month waits for its own (P26)."""
    at = ended(job)
    return None if at is None else Entry((shard(job.id),), (at,))


JOB = Kind(
    "job",
    Job,
    ("id",),
    indexes=(
        Index("due", lambda j: None if j.parked else Entry((shard(j.id),), (j.due,))),
        Index("parked", lambda j: Entry((), (j.due,)) if j.parked else None),
        Index("settling", _settling),
    ),
)

DUEL = Kind(
    "duel",
    Duel,
    ("id",),
    indexes=(
        Index("open", _public),
        Index("first", lambda d: _running(d, 0)),
        Index("second", lambda d: _running(d, 1)),
    ),
)
TURN = Kind("turn", Turn, ("duel", "number"))
MEMBER_GAME = Kind(
    "member_game",
    MemberGame,
    ("member", "duel"),
    indexes=(Index("lists", lambda g: Entry((g.member, g.state), (down(g.at),))),),
)
DESK = Kind("desk", Desk, ("duel", "seat"))
PROPOSALS = Kind("proposals", Proposals, ("member",), counter=True)
NO_SHOW = Kind("no_show", NoShow, ("member", "at", "duel"), expires=lambda n: seconds(n.at, 3 * DAY))
PRESENCE = Kind("presence", Presence, ("duel", "member"), expires=lambda p: seconds(p.at, DAY))
MAIL = Kind(
    "mail",
    Mail,
    ("id",),
    indexes=(Index("to", lambda m: Entry((m.to,), (down(m.at),)) if m.to else None),),
    expires=lambda m: seconds(m.at, 30 * DAY),
)
PULSE = Kind("pulse", Pulse, ("id",))

MEMBER = Kind("member", Member, ("id",))
MAILBOX = Kind("mailbox", Mailbox, ("key",))
NAME = Kind(  # uniqueness is a key, never an index (P4)
    "name", Name, ("folded",), indexes=(Index("member", lambda n: Entry((n.member,), ())),)
)
SESSION = Kind(
    "session",
    Session,
    ("id",),
    indexes=(Index("member", lambda s: Entry((s.member,), (down(s.started),))),),
    expires=lambda s: seconds(s.expires, DAY),
)
SIGN_IN = Kind("sign_in", SignIn, ("id",), expires=lambda s: seconds(s.expires, DAY))
BLOCK = Kind("block", Block, ("member", "other"), indexes=(Index("against", lambda b: Entry((b.other,), (b.member,))),))
REPORT = Kind(
    "report",
    Report,
    ("about", "subject", "by"),
    indexes=(
        Index("open", lambda r: Entry((), (r.at,)) if r.open else None),
        Index("mine", lambda r: Entry((r.by,), (down(r.at),))),
    ),
)
RATE = Kind("rate", Rate, ("subject", "ends"), counter=True, expires=lambda r: r.ends // SECOND)

LINK = Kind("link", Link, ("member", "other"))
GIFT = Kind("gift", Gift, ("key",), expires=lambda g: None if g.forgotten is None else seconds(g.forgotten, DAY))

# Credits. A balance stands in one of the books, so that all can be looked through.
BALANCE = Kind("balance", Balance, ("book", "account"), table="ledger", counter=True)
MOVEMENT = Kind("movement", Movement, ("cause",), table="ledger")
POSTING = Kind(
    "posting",
    Posting,
    ("account", "cause"),
    indexes=(Index("statement", lambda p: Entry((p.account,), (down(p.at),))),),
    table="ledger",
)
DEBT = Kind("debt", Debt, ("member",), table="ledger")
HALT = Kind("halt", Halt, ("part",))
RIVALRY = Kind("rivalry", Rivalry, ("one", "other"), indexes=(Index("other", lambda r: Entry((r.other,), ())),))
OPPONENTS = Kind("opponents", Opponents, ("member",), counter=True)

# Ratings. Those with a place come first.
STANDING = Kind(
    "standing",
    Standing,
    ("member", "month", "board"),
    indexes=(Index("board", lambda s: Entry((s.month, s.board), standing_order(s)) if s.listed else None),),
)
RATING_CHANGE = Kind(
    "rating_change",
    RatingChange,
    ("member", "board", "game", "number"),
    indexes=(Index("history", lambda c: Entry((c.member, c.board), (down(c.at), down(c.number)))),),
)
RATED = Kind("rated", Rated, ("game",))
BAND = Kind("band", Band, ("list", "width", "at"), counter=True)

TOURNAMENT = Kind(
    "tournament",
    Tournament,
    ("id",),
    indexes=(Index("stage", lambda t: Entry((t.stage,), (down(t.created),))),),
)
OPEN_CUPS = Kind("open_cups", OpenCups, ("member",), counter=True)
CUP_ENTRY = Kind(
    "cup_entry",
    CupEntry,
    ("member", "tournament"),
    indexes=(Index("latest", lambda e: Entry((e.member,), (down(e.at),))),),
)

BOOK = Kind("book", Book, ("member",))
CONTENDER = Kind(
    "contender",
    Contender,
    ("id",),
    indexes=(Index("open", lambda c: Entry((), (down(c.rating),)) if c.open and c.author else None),),
)
MEETING = Kind("meeting", Meeting, ("member", "doctrine"))
GUEST_GAMES = Kind("guest_games", GuestGames, ("member",))
CHALLENGER = Kind(
    "challenger",
    Challenger,
    ("member",),
    indexes=(Index("ranking", lambda c: Entry((), (down(c.rating), down(c.games))) if c.listed else None),),
)
CHALLENGE_CHANGE = Kind(
    "challenge_change",
    ChallengeChange,
    ("subject", "game"),
    indexes=(Index("history", lambda c: Entry((c.subject,), (down(c.at),)) if not c.why else None),),
)
CHALLENGE_MONTH = Kind(
    "challenge_month",
    ChallengeMonth,
    ("month", "subject"),
    indexes=(
        Index(
            "table",
            lambda m: (
                Entry((m.month, "doctrine" if m.author else "member"), (down(m.rating), down(m.games), m.joined))
                if m.listed
                else None
            ),
        ),
        Index("subject", lambda m: Entry((m.subject,), (m.month,))),
    ),
)
SEASON = Kind("season", Season, ("month",), indexes=(Index("latest", lambda s: Entry((), (down(s.closed),))),))
HONOUR = Kind(
    "honour",
    Honour,
    ("member", "month", "what"),
)
FRONT = Kind(
    "front",
    Front,
    ("day",),
    indexes=(Index("final", lambda f: Entry((), (down(f.opens),)) if f.final else None),),
)
FRONT_GAME = Kind(
    "front_game",
    FrontGame,
    ("day", "member"),
    indexes=(
        Index("board", lambda g: Entry((g.day,), g.place) if g.ranked else None),
        Index("running", lambda g: Entry((g.day,), (g.at,)) if g.ended is None else None),
    ),
)
FRONT_TALLY = Kind("front_tally", Tally, ("day", "kind", "turns", "positions", "income"), counter=True)
MONTHLY = Kind(
    "front_month",
    Monthly,
    ("month", "member"),
    indexes=(
        Index("table", lambda m: Entry((m.month,), (down(m.points), down(m.won), m.joined)) if m.listed else None),
        Index("member", lambda m: Entry((m.member,), (m.month,))),
    ),
)

SHOWN = Kind("shown", Shown, ("duel", "turn", "member"), expires=lambda s: seconds(s.at, 180 * DAY))
LOAD = Kind("load", Load, ("duel", "member", "minute"), counter=True, expires=lambda c: c.minute * 60 + 180 * 86_400)
TEMPO = Kind("tempo", Tempo, ("member",))
GAINS = Kind("gains", Gains, ("member", "month", "board"))
FRONT_SHEETS = Kind("front_sheets", FrontSheets, ("day", "digest", "member"))
MARK = Kind(
    "mark",
    Mark,
    ("member", "sign", "about"),
    indexes=(Index("open", lambda m: Entry((), (m.at,)) if m.open else None),),
)
BROWSER_USE = Kind(
    "browser_use",
    BrowserUse,
    ("browser", "member"),
    indexes=(Index("member", lambda u: Entry((u.member,), (down(u.at),))),),
)
ACT = Kind(
    "act",
    Act,
    ("id",),
    indexes=(
        Index("log", lambda a: Entry((), (down(a.at),))),
        Index("answered", lambda a: Entry((), (a.answers[-1].at,)) if a.waits else None),
        Index("subject", lambda a: Entry((a.about,), (down(a.at),))),
    ),
)
CONCERN = Kind(
    "concern",
    Concern,
    ("member", "act"),
    indexes=(Index("latest", lambda c: Entry((c.member,), (down(c.at),))),),
)
FORFEIT = Kind("forfeit", Forfeit, ("act", "duel"))

SIEGE = Kind(
    "siege",
    Siege,
    ("id",),
    indexes=(
        Index("open", lambda s: Entry((), (s.opens,)) if s.stage == "open" else None),
        Index("playing", lambda s: Entry((), (down(s.started or s.created),)) if s.stage == "playing" else None),
        Index("over", lambda s: Entry((), (down(s.ended or s.created),)) if s.stage == "ended" else None),
    ),
)
SIEGE_TURN = Kind("siege_turn", SiegeTurn, ("siege", "turn"))
SIEGE_ENTRY = Kind(
    "siege_entry",
    SiegeEntry,
    ("member", "siege"),
    indexes=(Index("lists", lambda e: Entry((e.member, "over" if e.over else "under way"), (down(e.at),))),),
)
SIEGE_POST = Kind(
    "siege_post",
    Post,
    ("siege", "turn", "id"),
    indexes=(Index("seat", lambda p: Entry((p.siege, p.seat), (p.turn, p.id))),),
)
SIEGE_VOICE = Kind("siege_voice", Voice, ("siege", "seat"))


def seconds(at: Instant, span: int) -> int:
    """The Unix time, in seconds, of a span (ms) after an instant."""
    return (at + span) // SECOND


KINDS: Final[tuple[Kind[Any], ...]] = tuple(kind for kind in list(globals().values()) if isinstance(kind, Kind))
BY_TYPE: Final[dict[type, Kind[Any]]] = {kind.type: kind for kind in KINDS}
