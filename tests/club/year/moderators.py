"""Moderators: what they find in their queue, what they do of their own, and how appeals are judged (P29)."""

from functools import partial
from typing import Any, Final

from engine.platform.doctrines import contender_id
from engine.platform.local_days import Day
from engine.platform.members import MemberId
from engine.times import HOUR
from tests.club.year.club import ADMIN, YearClub
from tests.club.year.people import Clubber

READ: Final = 12  # lines of the queue, at one go
CALENDAR: Final = {  # the days of the month on which one of them does something, and what
    6: "stop_siege",
    8: "stop",
    10: "remove_front",
    12: "freeze",
    15: "link",
    16: "hide_name",
    18: "hide_doctrine",
    20: "void",
    22: "stop",
    24: "unfreeze",
    26: "unlink",
}


def appoint(club: YearClub) -> None:
    """The admin makes moderators of those who joined to be some."""
    admin = next((one for one in club.present("moderator") if one.address == ADMIN), None)
    if admin is not None:
        for person in club.present("moderator"):
            if person is not admin and not club.chronicle.members[MemberId(person.id)].roles:
                _act(club, admin, "appoint", person.id)


def watch(club: YearClub, day: Day) -> None:
    """Every other day one of them goes through the queue, and another judges what was answered."""
    there = club.present("moderator")
    if there and int(day[8:]) % 2 == 0:
        one, other = club.some(there, 2) if len(there) > 1 else (there[0], there[0])
        one.soon((9 * HOUR, 20 * HOUR), partial(_marks, club, one))
        other.soon((9 * HOUR, 20 * HOUR), partial(_answers, club, other))


def act(club: YearClub, day: Day) -> None:
    """On some days of the month one of them does something of their own."""
    number, there = int(day[8:]), club.present("moderator")
    if there and number in CALENDAR:
        one = club.random.choice(there)
        one.soon((9 * HOUR, 20 * HOUR), partial(_of_their_own, club, one, CALENDAR[number]))


def _marks(club: YearClub, moderator: Clubber) -> None:
    """Marks and reports: some games are voided, some members frozen, the rest is dismissed."""
    for line in _lines(moderator, "marks"):
        what = club.random.random()
        games = [one["game"] for one in line["evidence"]]
        if line["sign"] == "match":
            cup, _, number = line["id"].split("/", 2)[2].rpartition("/")
            _act(club, moderator, "decide_match", cup, f"{number}/{line['member']['id']}")
        elif line["sign"] == "superhuman" and what < 0.3 and games:
            front = games[0] in club.chronicle.front_games
            _act(club, moderator, "remove_front" if front else "void", games[0])
        elif line["sign"] == "superhuman" and what < 0.4:
            _act(club, moderator, "freeze", line["member"]["id"])
        if line["sign"] != "match":
            _act(club, moderator, "dismiss", line["id"])
    for line in _lines(moderator, "reports"):
        _act(club, moderator, "dismiss_report", line["id"])


def _answers(club: YearClub, moderator: Clubber) -> None:
    """Appeals: two of five are right."""
    for line in _lines(moderator, "answers"):
        verdict = "undone" if club.random.random() < 0.4 else "upheld"
        moderator.does(f"/decisions/{line['id']}/judge", {"verdict": verdict, "reason": "Looked at again."})


def _of_their_own(club: YearClub, moderator: Clubber, what: str) -> None:
    about, other = _subject(club, what)
    if about:
        _act(club, moderator, what, about, other)


def _subject(club: YearClub, what: str) -> tuple[str, str]:
    """What there is to act on, if anything."""
    draw, chronicle = club.random.choice, club.chronicle
    people = club.present("usual", "keen", "cheat")
    sieges = [siege.id for siege in chronicle.watch.sieges.values() if siege.stage in ("open", "playing")]
    running = [duel.id for duel in chronicle.judge.duels.values() if duel.stage == "playing" and not duel.front]
    fronts = [game.game for game in list(chronicle.games.values())[-100:] if game.ranked]
    over = chronicle.between[-60:]
    frozen = [person.id for person in club.present() if chronicle.members[MemberId(person.id)].frozen is not None]
    authors = [person for person in people if person.published]
    linked = [(act.about, act.other) for act in chronicle.acts.values() if act.what == "link"]
    match what:
        case "stop" if running:
            return draw(running), ""
        case "stop_siege" if sieges and club.random.random() < 0.3:
            return draw(sieges), ""
        case "void" if over:
            return draw(over), ""
        case "remove_front" if fronts:
            return draw(fronts), ""
        case "unfreeze" if frozen:
            return draw(frozen), ""
        case "hide_doctrine" if authors:
            return contender_id(MemberId(draw(authors).id), 1), ""
        case "freeze" | "hide_name" if people:
            return draw(people).id, ""
        case "link" if len(people) > 1:
            one, two = club.random.sample(people, 2)
            return one.id, two.id
        case "unlink" if linked:
            return draw(linked)
    return "", ""


def _act(club: YearClub, moderator: Clubber, what: str, about: str, other: str = "") -> None:
    body = {"what": what, "about": about, "other": other, "reason": "Seen.", "request": club.request()}
    moderator.does("/moderation/acts", body)


def _lines(moderator: Clubber, of: str) -> list[Any]:
    page = moderator.get(f"/moderation?of={of}")
    return list(page.get("lines", ()))[:READ] if page is not None else []
