"""Whatever fails, a mail goes out once, or not at all if its moment has passed (P8)."""

from pathlib import Path
from typing import Final

import pytest

from engine.decisions import Decision, Job, Json, Put
from engine.platform.mails import Mail
from engine.times import HOUR, MINUTE, SECOND, Instant, later
from functions import worker
from infra.commit import TRIES as COMMITS
from infra.faults import Crash, Fault
from infra.mail import Letter, MailUnknown
from infra.records import MAIL
from tests.support.duelling import Duelling, duel, member, run_due
from tests.support.jobs import Script, at_once, job_named, jobs, state
from tests.support.site import TestSite, site_in

SOMETHING: Final[Json] = {"predict": "centre"}


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def site(tmp_path: Path, script: Script) -> TestSite:
    return site_in(tmp_path, plan=script)


@pytest.fixture
def game(site: TestSite) -> Duelling:
    return duel(site, member(site, "Anna"), member(site, "Beth"))


def first_mail(site: TestSite) -> Job:
    return jobs(site, "mail")[0]


def sent(site: TestSite, job: Job) -> list[Letter]:
    return [letter for letter in site.post.letters if letter.reference == job.id]


def kept(site: TestSite, job: Job) -> Mail:
    row = site.calm.store.get(MAIL, job.id)
    assert row is not None
    return row.value


def test_a_server_that_is_down_delays_mails_but_no_turn(site: TestSite, game: Duelling) -> None:
    site.post.down = True
    run_due(site)
    assert site.post.letters == []
    for seat in ("a", "b"):
        assert game.send(seat, SOMETHING).status == 200
    assert state(game).turn == 2
    site.post.down = False
    for _ in range(4):
        site.sources.move(10 * MINUTE)
        run_due(site)
    assert {letter.reference.split("/")[2] for letter in site.post.letters} == {"2"}
    assert len(site.post.letters) == 2


def test_after_a_night_without_a_mail_server_mails_still_come_within_the_hour(site: TestSite, game: Duelling) -> None:
    job = first_mail(site)
    site.post.down = True
    for _ in range(10):
        site.sources.move(HOUR)
        run_due(site)
    there = job_named(site, job.id)
    assert there is not None and there.tries > worker.TRIES and not there.parked
    site.post.down = False
    site.sources.move(HOUR)
    run_due(site)
    assert len(sent(site, job)) == 1


@pytest.mark.parametrize("last", ["another attempt", "the store"])
def test_a_long_night_that_ends_with_another_trouble_parks_no_mail(
    site: TestSite, script: Script, game: Duelling, last: str
) -> None:
    job = first_mail(site)
    site.post.down = True
    for _ in range(worker.TRIES):
        site.sources.move(HOUR)
        worker.run_job(site.site, job.id)
    if last == "the store":
        script.faults = [Fault.BUSY] * COMMITS
    else:
        claimed = Mail(job.id, "turn", "", "claimed", later(site.sources.now(), HOUR), "another")
        site.calm.store.commit(Decision((Put(claimed, None),), None))
    site.post.down = False
    site.sources.move(HOUR)
    worker.run_job(site.site, job.id)
    assert script.faults == []
    there = job_named(site, job.id)
    assert there is not None and not there.parked and sent(site, job) == []
    site.sources.move(2 * HOUR)
    run_due(site)
    assert job_named(site, job.id) is None


def test_one_whose_moment_has_passed_is_dropped(site: TestSite, game: Duelling) -> None:
    site.post.down = True
    run_due(site)
    job = first_mail(site)
    site.sources.time = later(job.until or Instant(0), SECOND)
    site.post.down = False
    assert worker.run_job(site.site, job.id)
    assert job_named(site, job.id) is None
    assert sent(site, job) == []


@pytest.mark.parametrize("fault", [Fault.LOST_ANSWER, Fault.LOST_REQUEST, Fault.BUSY, Fault.CONFLICT])
@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_lost_answer_of_the_store_neither_loses_nor_doubles_a_mail(
    site: TestSite, script: Script, game: Duelling, fault: Fault, before: int
) -> None:
    """The commits of a turn's mail: its warning's job, its claim, that it was sent."""
    job = first_mail(site)
    script.faults = [*(None for _ in range(before)), fault]
    worker.run_job(site.site, job.id)
    assert script.faults == []
    run_due(site)
    site.sources.move(HOUR)
    run_due(site)
    assert len(sent(site, job)) == 1
    assert kept(site, job).state == "sent"


def test_one_claimed_and_never_heard_of_again_is_shown_and_not_resent(
    site: TestSite, script: Script, game: Duelling
) -> None:
    job = first_mail(site)
    script.faults = [None, Fault.CRASH_AFTER]
    with pytest.raises(Crash):
        worker.run_job(site.site, job.id)
    assert kept(site, job).state == "claimed"
    for _ in range(4):
        site.sources.move(4 * MINUTE)
        run_due(site)
    assert kept(site, job).state == "unknown"
    assert sent(site, job) == []
    assert job_named(site, job.id) is None


def test_a_crash_before_the_claim_costs_nothing(site: TestSite, script: Script, game: Duelling) -> None:
    job = first_mail(site)
    script.faults = [None, Fault.CRASH_BEFORE]
    with pytest.raises(Crash):
        worker.run_job(site.site, job.id)
    run_due(site)
    assert len(sent(site, job)) == 1


def test_an_unknown_answer_of_the_mail_server_is_shown_and_not_resent(
    site: TestSite, game: Duelling, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Letter] = []

    def unsure(letter: Letter) -> None:
        tried.append(letter)
        raise MailUnknown

    monkeypatch.setattr(site.post, "send", unsure)
    job = first_mail(site)
    for _ in range(3):
        run_due(site)
        site.sources.move(10 * MINUTE)
    assert len([letter for letter in tried if letter.reference == job.id]) == 1
    assert kept(site, job).state == "unknown"


def test_two_workers_at_once_send_one_and_a_refusal_then_loses_nothing(
    site: TestSite, game: Duelling, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one worker talks to the mail server another gets the same message; then the server says no."""
    job, real = first_mail(site), site.post.send
    nested: list[Letter] = []

    def slow(letter: Letter) -> None:
        if not nested:
            nested.append(letter)
            worker.run_job(site.site, job.id)
            site.post.down = True
        real(letter)

    monkeypatch.setattr(site.post, "send", slow)
    worker.run_job(site.site, job.id)
    assert sent(site, job) == []
    site.post.down = False
    for _ in range(4):
        site.sources.move(4 * MINUTE)
        run_due(site)
    assert len(sent(site, job)) == 1


def test_two_workers_in_threads_send_one(site: TestSite, game: Duelling) -> None:
    job = first_mail(site)
    at_once([lambda: worker.run_job(site.calm, job.id)] * 4)
    assert len(sent(site, job)) == 1
