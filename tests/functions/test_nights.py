"""What a one-machine site does at night besides what every site does."""

from pathlib import Path

from engine.decisions import Decision, Put
from engine.platform.members import MemberId
from engine.platform.sessions import Session
from engine.times import DAY, later
from functions.serve import Nights
from infra.records import SESSION
from tests.support.site import site_in


def test_what_may_be_forgotten_is_gone_after_the_next_night(tmp_path: Path) -> None:
    site = site_in(tmp_path)
    now = site.sources.now()
    for id, lasts in (("over", -3 * DAY), ("lately over", -DAY // 2), ("on", 3 * DAY)):
        session = Session(id, MemberId("ada"), 0, later(now, -9 * DAY), later(now, lasts))
        site.calm.store.commit(Decision((Put(session, 0),), None))
    Nights()(site.calm)
    there = [id for id in ("over", "lately over", "on") if site.calm.store.get(SESSION, id)]
    assert there == ["lately over", "on"]
