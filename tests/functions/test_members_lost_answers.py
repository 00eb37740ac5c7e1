"""Every decision about members recognises its own effect: a lost answer is settled by deciding again."""

from pathlib import Path

import pytest

from engine.platform.members import MAILS
from engine.platform.rates import BLOCKS, RENAMES, REPORTS, counter
from functions import limits
from infra.faults import Fault, Moment, Trouble
from infra.records import BLOCK, MEMBER, NAME, REPORT
from tests.support.browser import Browser
from tests.support.people import sign_up
from tests.support.site import TestSite, site_in

TROUBLES = (Fault.LOST_ANSWER, Fault.LOST_REQUEST, Fault.CONFLICT, Fault.BUSY)


class EveryOther:
    """Each commit of a web request fails the first time."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault
        self._turn = False

    def __call__(self, moment: Moment) -> Trouble | None:
        self._turn = moment == "commit" and not self._turn
        return Trouble(self._fault) if self._turn else None


@pytest.fixture(params=TROUBLES, ids=lambda fault: fault.name)
def site(tmp_path: Path, request: pytest.FixtureRequest) -> TestSite:
    return site_in(tmp_path, plan=EveryOther(request.param))


def test_everything_a_member_does_takes_effect_once(site: TestSite) -> None:
    ada, bea = Browser(), Browser()
    me, other = (sign_up(b, site, f"{n}@example.org", n) for b, n in ((ada, "Ada"), (bea, "Bea")))
    assert len(site.post.letters) == 2
    ada.get("/preferences")
    form = {"name": "Ida", "lang": "fr", "zone": "UTC", "theme": "dark", "mail": ["", "turn"], "quiet": ""}
    assert ada.post("/preferences", form).status == 303
    assert ada.post(f"/members/{other}/block").status == 303
    assert ada.post(f"/members/{other}/report", {"reason": "insults"}).status == 303
    saved = site.store.get(MEMBER, me)
    assert saved is not None
    assert (saved.value.name, saved.value.lang, len(saved.value.muted)) == ("Ida", "fr", len(MAILS) - 1)
    freed = site.store.get(NAME, "ada")
    assert freed is not None
    assert freed.value.freed is not None
    assert site.store.get(BLOCK, me, other)
    assert site.store.get(REPORT, "member", other, me)
    for limit in (RENAMES, BLOCKS, REPORTS):
        assert spent(site, limit.name, me) == 1
    assert ada.post("/preferences/sign-out-everywhere").status == 303
    after = site.store.get(MEMBER, me)
    assert after is not None
    assert after.value.epoch == 1
    assert ada.get("/preferences").status == 401


def spent(site: TestSite, name: str, who: str) -> int:
    limit = next(x for x in (RENAMES, BLOCKS, REPORTS) if x.name == name)
    return -site.store.count(counter(limit, limits.hidden(site.site, who), site.sources.now()))
