"""Members who may stake, and what they have."""

from engine.decisions import Add, Decision, Put
from engine.platform.gifts import give
from engine.platform.ledger.records import Account, Balance, purse
from engine.platform.members import MemberId
from engine.platform.rivalries import Opponents
from engine.times import DAY, later
from infra.records import MEMBER
from tests.support.browser import Browser
from tests.support.duelling import member
from tests.support.site import TestSite


def staker(site: TestSite, name: str) -> Browser:
    """A member of ten days with three opponents and 100 credits, signed in."""
    browser = member(site, name)
    id = MemberId(name.lower())
    row = site.calm.store.get(MEMBER, id)
    assert row
    there = row.value
    old = type(there)(there.id, there.name, there.address, there.lang, there.zone, later(there.joined, -10 * DAY))
    gift = give(None, f"gift of {id}", id, site.sources.now())
    site.calm.store.commit(Decision((Put(old, row.version), Add(Opponents(id), 3), *gift), None))
    return browser


def balance(site: TestSite, account: Account | str) -> int:
    """The credits on an account, or in a member's purse."""
    named = Account(account) if "/" in account or account == "house" else purse(MemberId(account))
    return site.calm.store.count(Balance(named))
