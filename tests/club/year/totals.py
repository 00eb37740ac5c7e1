"""What a year came to, in lines to print."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.platform.ledger.records import HOUSE, Balance
from engine.platform.local_days import Day, Month
from tests.club.year.chronicle import BETWEEN_MEMBERS
from tests.club.year.club import YearClub

Counts = Counter[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Totals:
    """The figures, by name; `lines` tells them."""

    figures: Mapping[str, int]
    closures: Sequence[str]
    wall: float
    cpu: float
    details: Sequence[tuple[str, str]]

    def lines(self) -> list[str]:
        """One line for each thing, what it is first."""
        width = 11
        told = [f"{name:<{width}}{text}" for name, text in self.details]
        told += [f"{'closure' if n == 0 else '':<{width}}{line}" for n, line in enumerate(self.closures)]
        return [*told, f"{'time':<{width}}{self.wall:.0f} s, {self.cpu:.0f} s of a processor"]


def totals(club: YearClub, year: Sequence[Day], months: Sequence[Month], wall: float, cpu: float) -> Totals:
    """The totals of a club whose year is over."""
    counts, chronicle = club.chronicle.counts, club.chronicle
    over = {key[1:]: n for key, n in counts.items() if key[0] == "over"}
    days = set(year)
    fronts = [game for (day, _), game in chronicle.games.items() if day in days]
    figures = {
        "fronts": sum(chronicle.fronts[day] for day in year),
        "front games": len(fronts),
        "duels": sum(n for (kind, *_), n in over.items() if kind == "duel"),
        "challenges": sum(n for (kind, *_), n in over.items() if kind == "challenge"),
        "cups": len(chronicle.cups),
        "sieges": len(chronicle.watch.sieges),
        "mails": len(chronicle.judge.mails),
        "acts": len(chronicle.acts),
        "closures": len(months),
        "prizes": sum(len(chronicle.seasons[month][0].places) for month in months),
        "crashes": club.world.crashes,
    }
    details = [
        ("members", _members(club)),
        ("duels", _of(over, "duel")),
        ("", _ends(over, BETWEEN_MEMBERS)),
        ("turns", f"{counts['turns',]:,}, {_sum(counts, 'siege turns'):,} of sieges"),
        ("challenges", f"{_of(over, 'challenge')}; {_ends(over, ('challenge',))}"),
        ("practice", _of(over, "practice")),
        ("fronts", _fronts(club, year)),
        ("cups", _cups(club)),
        ("sieges", _sieges(club)),
        ("mails", _mails(counts)),
        ("credits", _credits(club)),
        ("findings", _listed(Counter(sign for (_, sign, _), n in chronicle.findings.items() for _ in range(n)))),
        ("acts", _acts(club)),
        ("trouble", f"{club.world.crashes} crashes, {counts['commits',]:,} commits"),
    ]
    closures = [_closure(club, month) for month in months]
    return Totals(figures, closures, wall, cpu, details)


def _members(club: YearClub) -> str:
    counts, people = club.chronicle.counts, club.people.values()
    kinds = Counter(person.kind for person in people)
    back = len({person.address for person in people if person.gone} & {p.address for p in people if not p.gone})
    return (
        f"{len(people)} ({_listed(kinds)}), {counts['left',]} left, {back} of them came back, {counts['froze',]} frozen"
    )


def _of(over: Mapping[tuple[str, ...], int], kind: str) -> str:
    """How many of a kind are over, by game and pace."""
    found = {key: n for key, n in over.items() if key[0] == kind}
    begun = Counter[str]()
    for (_, game, pace, by), n in found.items():
        if by not in ("withdrawn", "declined", "lapsed"):
            begun[f"{game} {pace}"] += n
    never = sum(found.values()) - sum(begun.values())
    return f"{sum(begun.values()):,} ({_listed(begun)})" + (f", {never} proposals came to nothing" if never else "")


def _ends(over: Mapping[tuple[str, ...], int], kinds: Sequence[str]) -> str:
    by = Counter[str]()
    for (kind, *_, end), n in over.items():
        by[end] += n if kind in kinds else 0
    return f"ended by {_listed(by)}"


def _fronts(club: YearClub, year: Sequence[Day]) -> str:
    days = set(year)
    games = [game for (day, _), game in club.chronicle.games.items() if day in days]
    ranked = [game for game in games if game.ranked]
    results = Counter(game.result for game in ranked)
    why = Counter(game.why for game in games if not game.ranked)
    made = sum(club.chronicle.fronts[day] for day in year)
    return f"{made} days, {len(games):,} games, {len(ranked):,} ranked ({_listed(results)}), not ranked: {_listed(why)}"


def _cups(club: YearClub) -> str:
    cups = club.chronicle.cups.values()
    played = [cup for cup in cups if cup.stage == "ended"]
    champions = sum(cup.champion is not None for cup in played)
    matches = Counter(match.by for cup in played for match in cup.matches)
    return (
        f"{len(cups)}, {len(cups) - len(played)} cancelled, {champions} with a champion, {len(played) - champions}"
        f" without; matches: {_listed(matches)}"
    )


def _sieges(club: YearClub) -> str:
    sieges = club.chronicle.watch.sieges.values()
    ends = Counter(siege.result.by if siege.result and siege.stage == "ended" else siege.stage for siege in sieges)
    return f"{len(sieges)}: {_listed(ends)}"


def _mails(counts: Counts) -> str:
    by = Counter[str]()
    for (what, *rest), n in counts.items():
        if what == "mails" and rest[1] != "claimed":
            by[rest[0]] += n
    lost = sum(n for key, n in counts.items() if key[0] == "mails" and key[-1] == "unknown")
    return f"{sum(by.values()):,} ({_listed(by)}), {lost} of them with the answer lost"


def _credits(club: YearClub) -> str:
    by = Counter({key[1]: n for key, n in club.chronicle.counts.items() if key[0] == "credits"})
    house = club.world.truth.count(Balance(HOUSE))
    return f"{_listed(by)}; the house has {house:,}"


def _acts(club: YearClub) -> str:
    acts = club.chronicle.acts.values()
    what = Counter(act.what for act in acts)
    answered = sum(len(act.answers) for act in acts)
    states = Counter(act.state for act in acts if act.judged is not None)
    return f"{len(acts)} ({_listed(what)}), {answered} appeals ({_listed(states)})"


def _closure(club: YearClub, month: Month) -> str:
    [season] = club.chronicle.seasons[month]
    names = {id: member.name or "somebody who left" for id, member in club.chronicle.members.items()}
    first = f"1st {names[season.places[0].member]} ({season.places[0].tenths / 10:.1f})" if season.places else "nobody"
    titles = ", ".join(f"{title.of} {names[title.member]}" for title in season.titles) or "no title"
    paid = sum(place.credits for place in season.places)
    return f"{month}: {first}, {len(season.places)} prizes, {paid} credits; {titles}"


def _sum(counts: Counts, what: str) -> int:
    return sum(n for key, n in counts.items() if key[0] == what)


def _listed(counted: Counter[Any]) -> str:
    return ", ".join(f"{n:,} {name or 'none'}" for name, n in _most_first(counted.items())) or "none"


def _most_first(items: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(((name, n) for name, n in items if n), key=lambda item: (-item[1], item[0]))
