"""The deployed site, as members and their mails see it."""

import json
import re
from typing import Any

import pytest

from engine.decisions import Decision, Job, Put
from engine.games.registry import operations
from engine.platform.sign_in import SignIn
from engine.times import MINUTE, SECOND, later
from functions.demo.client import Client, Refused, wait_for
from infra.dynamodb import DynamoStore
from infra.records import JOB
from infra.sources import SystemSources
from tests.support.cloud import Cloud
from tests.support.ministack import REGION

pytestmark = pytest.mark.cloud

SOURCES = SystemSources()


@pytest.fixture(scope="module")
def store(cloud: Cloud) -> DynamoStore:
    """The site's store, as its functions see it."""
    return DynamoStore(cloud.outputs["Club"], cloud.outputs["Ledger"], SOURCES.version, REGION, cloud.stack.endpoint)


@pytest.fixture(scope="module")
def ada(cloud: Cloud) -> Client:
    """A member, signed up by mail."""
    return _signed_up(cloud, "Ada", "en", "Europe/London")


@pytest.fixture(scope="module")
def basile(cloud: Cloud) -> Client:
    """Another one, who reads French."""
    return _signed_up(cloud, "Basile", "fr", "Europe/Paris")


def test_a_turn_is_played_by_pages_and_mails(cloud: Cloud, ada: Client, basile: Client) -> None:
    """P1, P8, P10, P11: from a proposal to the next turn's mail."""
    proposed = ada.post("/duels", {"game": "feinthold", "pace": "days1", "opponent": "Basile"})["duel"]
    page = f"/games/{proposed['id']}"
    invitation = _mail(cloud, basile, page)
    assert "Ada" in invitation["Subject"] + invitation["BodyText"]

    basile.get(page)
    assert basile.post(f"{page}/accept", {})["duel"]["turn"] == 1
    for player, seat in ((ada, "pivot"), (basile, "ram")):
        _send_orders(player, page, seat)

    shown = wait_for(lambda: _at_turn(ada, page, 2))
    assert shown["report"]["turn"] == 1
    assert shown["view"]["turn"] == 2
    for player in (ada, basile):
        wait_for(lambda player=player: 2 in _turns_by_mail(cloud, player))  # type: ignore[misc]


def test_a_job_whose_wake_up_was_lost_runs_by_tick_queue_and_worker(cloud: Cloud, store: DynamoStore) -> None:
    """The tick finds what is due soon, the queue holds it back until it is, the worker does it and drops it."""
    address, now = "waiting@example.org", SOURCES.now()
    asked = SignIn("lost", address, "browser", later(now, 10 * MINUTE), "en")
    job = Job("mail/sign-in/lost", later(now, 3 * SECOND), "mail", {"notice": "sign_in", "sign_in": "lost"})
    store.commit(Decision((Put(asked, 0), Put(job, 0)), None))

    answer = cloud.client("lambda").invoke(FunctionName=cloud.outputs["Tick"], Payload=b"{}")
    assert json.loads(answer["Payload"].read())["sent"] >= 1

    mail = wait_for(lambda: next(iter(cloud.mails(address)), None))
    assert mail["Timestamp"] * 1000 >= job.due
    wait_for(lambda: store.get(JOB, job.id) is None)


def test_mail_that_comes_back_pauses_its_address(cloud: Cloud) -> None:
    """P4: SES tells the topic, the topic the function, and the member sees it."""
    chloe = _signed_up(cloud, "Chloé", "fr", "Europe/Paris")
    bounce = {"bounceType": "Permanent", "bouncedRecipients": [{"emailAddress": chloe.mailbox}]}
    told = json.dumps({"eventType": "Bounce", "bounce": bounce})
    cloud.client("sns").publish(TopicArn=cloud.outputs["Feedback"], Message=told)
    assert wait_for(lambda: chloe.get("/preferences")["bounced"]) == "bounce"


def test_a_message_for_a_job_that_is_gone_is_acknowledged(cloud: Cloud) -> None:
    sqs = cloud.client("sqs")
    for queue in (cloud.outputs["Clocks"], cloud.outputs["Slow"]):
        sqs.send_message(QueueUrl=queue, MessageBody=json.dumps({"job": "clock/gone"}))
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]

    def handled() -> bool:
        urls = (cloud.outputs["Clocks"], cloud.outputs["Slow"])
        found = [sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"] for url in urls]
        return all(int(attributes[name]) == 0 for attributes in found for name in names)

    wait_for(handled)


def _signed_up(cloud: Cloud, name: str, lang: str, zone: str) -> Client:
    client = Client(cloud.outputs["Address"], name, f"{name[:3].lower()}@example.org", lang)
    client.get("/sign-in")
    client.post("/sign-in", {"address": client.mailbox})
    link = _link(_mail(cloud, client, "/sign-in/")["BodyText"])
    client.get(link)
    welcome = client.post(link, {})
    client.post(f"/welcome/{welcome['sign_in']}", {"name": name, "lang": lang, "zone": zone})
    assert client.get("/preferences")["name"] == name
    return client


def _send_orders(player: Client, page: str, doctrine: str) -> None:
    """Send what a house AI that sees what the player sees would."""
    seen = player.get(page)
    orders = operations("feinthold")["doctrine"]({"view": seen["view"], "doctrine": doctrine, "seed": "1"})["orders"]
    taken = player.post(f"{page}/orders", {"turn": 1, "after": seen["after"], "orders": orders})
    assert taken["sheet"]["orders"] == orders


def _at_turn(player: Client, page: str, turn: int) -> Any:
    shown = player.get(page)
    return shown if shown["duel"]["turn"] == turn else None


def _mail(cloud: Cloud, client: Client, holds: str) -> Any:
    """The first mail to somebody whose text holds this."""
    return wait_for(lambda: next((m for m in cloud.mails(client.mailbox) if holds in m["BodyText"]), None))


def _turns_by_mail(cloud: Cloud, player: Client) -> set[int]:
    """The turns that the links in somebody's mails lead to, in a browser that knows nobody."""
    browser = Client(player.address, player.name, player.mailbox, player.lang)
    links = [_link(m["BodyText"]) for m in cloud.mails(player.mailbox) if "/turn/" in m["BodyText"]]
    return {turn for link in links if (turn := _turn(browser, link))}


def _turn(browser: Client, link: str) -> int:
    try:
        return int(browser.get(link)["turn"])
    except Refused:  # a link whose turn has closed
        return 0


def _link(text: str) -> str:
    found = re.search(r"https?://\S+/(?:sign-in|turn)/\S+", text)
    assert found, text
    return found[0]
