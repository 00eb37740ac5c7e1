"""From the start to the champion: games made as soon as their players are known, and judged once (P19-P21)."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.decisions import Change, Decision, Job, Put
from engine.games import registry
from engine.games.protocol import Seat
from engine.platform.duels.records import Duel, DuelId, MemberGame, Player
from engine.platform.duels.start import NO_STAND_INS, StandIns, begin
from engine.platform.duels.terms import Terms, met, reckoned
from engine.platform.ledger.moving import Debts, move, unless_halted
from engine.platform.ledger.records import Line, escrow, purse
from engine.platform.members import MemberId
from engine.platform.tournaments.bracket import Strength, decide, drawn, seeded, to_play
from engine.platform.tournaments.entering import bracket_job, fees_back, letter, no_longer_open, payout
from engine.platform.tournaments.records import GAME, MATCH_LASTS, PACE, Match, Tournament
from engine.times import Instant, later


@dataclass(frozen=True, slots=True)
class Making:
    """What a match's game is made of: its secret, what the two have had with each other, their default doctrines."""

    seed: bytes
    terms: Terms
    stand_ins: StandIns = field(default_factory=lambda: NO_STAND_INS)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who goes on (or nobody), and why (`Match.by`)."""

    winner: MemberId | None
    by: str


def start(tournament: Tournament, was: int, strengths: Sequence[Strength], now: Instant) -> Decision[Tournament]:
    """Seed a full tournament and draw its bracket; its games are made by the next run of job `bracket` (P19)."""
    if tournament.stage != "open" or not tournament.full:
        return Decision((), tournament)
    seeds = seeded(strengths)
    begun = replace(tournament, stage="playing", started=now, seeds=seeds, matches=drawn(seeds))
    letters = tuple(Put(letter(begun, member, "cup_started", now), None) for member in seeds)
    changes = (Put(begun, was), Put(bracket_job(begun.id, now), None), *no_longer_open(begun), *letters)
    return Decision(changes, begun)


def make(tournament: Tournament, was: int, number: int, making: Making, now: Instant) -> Decision[Tournament]:
    """Make the game of one match: its first turn opens at once, without ready room (P20)."""
    match = next((m for m in to_play(tournament) if m.number == number), None)
    if match is None or match.one is None or match.other is None or tournament.stage != "playing":
        return Decision((), tournament)
    duel = reckoned(_game(tournament, match, making, now), making.terms, now)
    opened = begin(duel, 0, now, stand_ins=making.stand_ins)
    made = replace(match, duel=duel.id, begun=now)
    after = replace(tournament, matches=tuple(made if m.number == number else m for m in tournament.matches))
    rows = tuple(
        Put(MemberGame(p.member, duel.id, GAME, PACE, duel.opponent(p.member), "running", now, kind="match"), None)
        for p in duel.players
    )
    changes: tuple[Change, ...] = (
        Put(after, was),
        *opened.changes,
        *rows,
        *met(duel, making.terms, now, begins=True, staked=False),
        Put(_overdue(tournament, number, now), None),
    )
    return Decision(changes, after)


def judged(
    duel: Duel,
    tournament: Tournament,
    frozen: Collection[MemberId] = (),
    fast: Collection[MemberId] = (),
    gone: Collection[MemberId] = (),
) -> Verdict:
    """Who goes on after a match's game (P21).

    A side that sent nothing never goes on against one that sent; no sheet from both: nobody. A draw goes to the right
    predictions, then the combats won, then the better seed. A side whose ratings are frozen has lost, and one whose
    account is `gone`; so has one whose orders came `fast`er than a person reads.
    """
    players = duel.members
    standing = [p for p in players if p.member not in frozen and p.member not in gone]
    if len(standing) < len(players):
        by = "frozen" if any(p.member in frozen for p in players) else "forfeit"
        return Verdict(standing[0].member, by) if standing else Verdict(None, "nobody")
    result = duel.result
    if any(p.member in fast for p in players):
        fair = [p for p in players if p.member not in fast and p.sheets]
        return Verdict(fair[0].member, "fair_play") if fair else Verdict(None, "nobody")
    winner = next((p for p in players if result and p.seat == result.winner), None)
    if result is not None and result.by == "forfeit" and winner is not None:
        other = next(p for p in players if p is not winner)
        return Verdict(winner.member, "forfeit") if winner.sheets or not other.sheets else Verdict(None, "nobody")
    sent = [p for p in players if p.sheets]
    if len(sent) < 2:
        return Verdict(sent[0].member, "sent") if sent else Verdict(None, "nobody")
    if winner is not None:
        return Verdict(winner.member, "won")
    return Verdict(_breaking(duel, tournament, sent), "draw")


def advance(
    tournament: Tournament, was: int, number: int, verdict: Verdict, debts: Debts, now: Instant
) -> Decision[Tournament]:
    """The bracket with a match decided, once; after the final the pot is paid, or the fees come back (P20)."""
    if tournament.stage != "playing" or tournament.matches[number].decided:
        return Decision((), tournament)
    after = decide(tournament, number, verdict.winner, verdict.by)
    final = after.matches[-1]
    if not final.decided:
        return Decision((Put(after, was), Put(bracket_job(after.id, now), None)), after)
    ended = replace(after, stage="ended", ended=now, champion=final.winner)
    paid = _pot(ended, debts, now) if ended.champion else fees_back(ended, debts, now)
    letters = tuple(Put(letter(ended, member, _told(ended, member), now), None) for member in ended.seeds)
    return Decision((Put(ended, was), *paid, *letters), ended)


def match_id(tournament: Tournament, number: int) -> DuelId:
    """The id of a match's game: the same whenever it is made."""
    return DuelId(hashlib.sha256(f"match/{tournament.id}/{number}".encode()).hexdigest()[:16])


def late(tournament: Tournament, number: int, now: Instant) -> bool:
    """Whether a match has gone on beyond its five days, and is for the moderators to decide (P20)."""
    match = tournament.matches[number] if number < len(tournament.matches) else None
    return match is not None and match.begun is not None and not match.decided and now >= match.begun + MATCH_LASTS


def _game(tournament: Tournament, match: Match, making: Making, now: Instant) -> Duel:
    assert match.one is not None and match.other is not None
    return Duel(
        match_id(tournament, match.number),
        GAME,
        PACE,
        match.one,
        match.other,
        now,
        (Player(match.one), Player(match.other)),
        kind="match",
        seed=making.seed.hex(),
        accepted=now,
        cup=tournament.id,
        cup_match=match.number,
    )


def _breaking(duel: Duel, tournament: Tournament, players: Sequence[Player]) -> MemberId:
    game = registry.game(duel.game)
    tallies: Mapping[Seat, tuple[int, ...]] = game.standing(game.load(duel.state or {})).tallies
    best = max(players, key=lambda p: (tallies[p.seat], -tournament.seed(p.member)))
    return best.member


def _pot(tournament: Tournament, debts: Debts, now: Instant) -> tuple[Change, ...]:
    champion = tournament.champion
    pot = tournament.fee * tournament.size
    if champion is None or not pot:
        return ()
    cause = payout(tournament)
    lines = (Line(escrow("tournament", tournament.id), -pot), Line(purse(champion), pot))
    return (*move(cause, "pot", now, lines, {"tournament": tournament.id}, debts), unless_halted(cause))


def _told(tournament: Tournament, member: MemberId) -> str:
    return "cup_won" if member == tournament.champion else "cup_over"


def _overdue(tournament: Tournament, number: int, now: Instant) -> Job:
    about = {"tournament": tournament.id, "match": number}
    return Job(f"overdue/{tournament.id}/{number}", later(now, MATCH_LASTS), "overdue", about)
