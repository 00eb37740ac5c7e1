"""Wake-ups by SQS: a queue for clocks and one for what may wait."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError

from engine.decisions import Job
from engine.times import SECOND, Instant
from infra.log import log

if TYPE_CHECKING:
    from mypy_boto3_sqs.client import SQSClient
    from mypy_boto3_sqs.type_defs import SendMessageBatchRequestEntryTypeDef

LONGEST: Final = 900  # s: SQS delays no message for longer
_BATCH: Final = 10  # messages that one call takes
_COUNT: Final = "ApproximateNumberOfMessages"


class SqsQueue:
    """Sends messages that name a job, each delayed until the job is due.

    `urls` are those of the queues by name. The client is made when the first message is sent: most pages send none.
    """

    def __init__(self, urls: Mapping[str, str], client: "Callable[[], SQSClient]") -> None:
        self._urls = urls
        self._make = client

    def wake(self, jobs: Iterable[Job], now: Instant) -> None:
        """See `Queue.wake`. What SQS does not take is logged and left to the next tick."""
        waiting: dict[str, list[Job]] = {name: [] for name in self._urls}
        for job in jobs:
            if delay(job, now) <= LONGEST:
                waiting[job.queue].append(job)
        for name, due in waiting.items():
            for batch in _batches(due):
                self._send(name, [_message(number, job, now) for number, job in enumerate(batch)])

    def waiting(self) -> int:
        """About how many messages could be delivered now; delayed ones are not among them."""
        return sum(self._count(url) for url in self._urls.values())

    @cached_property
    def _client(self) -> "SQSClient":
        return self._make()

    def _send(self, name: str, entries: "list[SendMessageBatchRequestEntryTypeDef]") -> None:
        try:
            failed = self._client.send_message_batch(QueueUrl=self._urls[name], Entries=entries).get("Failed", [])
        except (BotoCoreError, ClientError) as error:
            log("wake-ups lost", queue=name, jobs=len(entries), error=type(error).__name__)
        else:
            if failed:
                log("wake-ups lost", queue=name, jobs=len(failed), error=failed[0]["Code"])

    def _count(self, url: str) -> int:
        found = self._client.get_queue_attributes(QueueUrl=url, AttributeNames=[_COUNT])
        return int(found["Attributes"][_COUNT])


def delay(job: Job, now: Instant) -> int:
    """The whole seconds after which the job is due, so that it is not early; 0 if it is due already."""
    return max(0, -(-(job.due - now) // SECOND))


def _message(number: int, job: Job, now: Instant) -> "SendMessageBatchRequestEntryTypeDef":
    return {"Id": str(number), "MessageBody": json.dumps({"job": job.id}), "DelaySeconds": delay(job, now)}


def _batches(jobs: list[Job]) -> Iterable[list[Job]]:
    return (jobs[start : start + _BATCH] for start in range(0, len(jobs), _BATCH))
