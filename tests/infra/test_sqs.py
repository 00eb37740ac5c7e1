"""Wake-ups by SQS: which queue, after which delay, and what a lost one costs."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.session import get_session
from botocore.stub import Stubber
from hypothesis import given
from hypothesis import strategies as st

from engine.decisions import Job
from engine.times import SECOND, Instant
from infra.aws.queue import LONGEST, SqsQueue, delay

NOW = Instant(1_790_000_000_000)
URLS = {"clocks": "https://sqs.example.org/clocks", "slow": "https://sqs.example.org/slow"}


def job(name: str, ahead: int, queue: Any = "slow") -> Job:
    """A job due so many milliseconds from now."""
    return Job(name, Instant(NOW + ahead), "mail", queue=queue)


@pytest.fixture
def sqs() -> Iterator[tuple[SqsQueue, Stubber]]:
    """A queue over a client that answers what a test tells it to."""
    client: Any = get_session().create_client("sqs", "eu-west-3")
    with Stubber(client) as stub:
        yield SqsQueue(URLS, lambda: client), stub
        stub.assert_no_pending_responses()


def expect(stub: Stubber, queue: str, *messages: tuple[str, int], answer: Any = None) -> None:
    """The next call sends these jobs with these delays."""
    entries = [
        {"Id": str(number), "MessageBody": json.dumps({"job": name}), "DelaySeconds": seconds}
        for number, (name, seconds) in enumerate(messages)
    ]
    stub.add_response(
        "send_message_batch", answer or {"Successful": [], "Failed": []}, {"QueueUrl": URLS[queue], "Entries": entries}
    )


def test_each_job_goes_to_its_queue_with_its_delay(sqs: tuple[SqsQueue, Stubber]) -> None:
    queue, stub = sqs
    expect(stub, "clocks", ("clock/a", 60))
    expect(stub, "slow", ("mail/a", 0), ("mail/b", 1))
    queue.wake((job("mail/a", -5), job("clock/a", 60 * SECOND, "clocks"), job("mail/b", 1)), NOW)


def test_jobs_over_900_seconds_ahead_are_left_to_the_tick(sqs: tuple[SqsQueue, Stubber]) -> None:
    queue, stub = sqs
    expect(stub, "slow", ("mail/in", LONGEST))
    queue.wake((job("mail/in", 900 * SECOND), job("mail/out", 900 * SECOND + 1)), NOW)


def test_ten_messages_go_in_one_call(sqs: tuple[SqsQueue, Stubber]) -> None:
    queue, stub = sqs
    names = [f"mail/{number:02}" for number in range(23)]
    for some in (names[:10], names[10:20], names[20:]):
        expect(stub, "slow", *((name, 0) for name in some))
    queue.wake((job(name, 0) for name in names), NOW)


def test_no_job_no_call(sqs: tuple[SqsQueue, Stubber]) -> None:
    sqs[0].wake((), NOW)


def test_a_wake_up_that_sqs_does_not_take_is_logged_and_left_to_the_tick(
    sqs: tuple[SqsQueue, Stubber], capsys: pytest.CaptureFixture[str]
) -> None:
    queue, stub = sqs
    failed = {"Failed": [{"Id": "0", "SenderFault": False, "Code": "InternalError"}], "Successful": []}
    expect(stub, "clocks", ("clock/a", 0), answer=failed)
    stub.add_client_error("send_message_batch", "ServiceUnavailable", http_status_code=503)
    queue.wake((job("clock/a", 0, "clocks"), job("mail/a", 0)), NOW)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["queue"], line["jobs"], line["error"]) for line in lines] == [
        ("clocks", 1, "InternalError"),
        ("slow", 1, "ClientError"),
    ]


def test_what_waits_is_counted_over_both_queues(sqs: tuple[SqsQueue, Stubber]) -> None:
    queue, stub = sqs
    for number in ("3", "1998"):
        stub.add_response("get_queue_attributes", {"Attributes": {"ApproximateNumberOfMessages": number}})
    assert queue.waiting() == 2001


@given(st.integers(-10_000_000, 10_000_000))
def test_a_wake_up_is_never_early_nor_a_second_late(ahead: int) -> None:
    seconds = delay(job("clock/a", ahead), NOW)
    assert seconds >= 0
    assert seconds * SECOND >= ahead
    assert seconds == 0 or (seconds - 1) * SECOND < ahead
