"""Days and months on local time: what happens once a day happens once, whatever the clocks do (P9)."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from engine.times import Instant

Day = str  # a local date, 2026-11-30
Month = str  # 2026-11


def day_of(instant: Instant, zone: str) -> Day:
    """The local date of an instant."""
    return datetime.fromtimestamp(instant / 1000, UTC).astimezone(ZoneInfo(zone)).date().isoformat()


def begins(day: Day, zone: str) -> Instant:
    """The first instant of a local date: midnight, or what follows it where the clocks jump over it."""
    local = datetime.combine(date.fromisoformat(day), time(), ZoneInfo(zone))
    return Instant(int(local.astimezone(UTC).timestamp()) * 1000)


def ends(day: Day, zone: str) -> Instant:
    """The first instant after a local date."""
    return begins(following(day), zone)


def following(day: Day, by: int = 1) -> Day:
    """The date so many days later."""
    return (date.fromisoformat(day) + timedelta(days=by)).isoformat()


def weekday(day: Day) -> int:
    """1 for Monday to 7 for Sunday."""
    return date.fromisoformat(day).isoweekday()


def month_of(day: Day) -> Month:
    """The month of a date."""
    return day[:7]


def is_day(text: str) -> bool:
    """Whether a text is a date as written here."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def last_of(month: Month) -> Day:
    """The last day of a month."""
    return following(f"{month_of(following(f'{month}-01', 31))}-01", -1)
