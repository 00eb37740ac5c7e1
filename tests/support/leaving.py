"""Members who delete their accounts."""

from engine.decisions import Decision, Put
from engine.platform.sessions import begin, session_id
from engine.times import MINUTE
from tests.support.browser import Answer, Browser
from tests.support.clubs import account
from tests.support.duelling import run_due
from tests.support.site import TestSite


def fresh(site: TestSite, who: str) -> Browser:
    """A browser in which a member has just signed in."""
    cookie = f"fresh cookie of {who}"
    session = begin(account(site, who), session_id(cookie), site.sources.now())
    site.calm.store.commit(Decision((Put(session, None),), None))
    return Browser(cookies={"session": cookie})


def ask_to_leave(site: TestSite, who: str) -> Answer:
    """Delete an account after a fresh sign-in; what follows from it is still to be done."""
    browser = fresh(site, who)
    browser.get("/account/delete")
    return browser.post("/account/delete", {"confirm": "yes"})


def leave(site: TestSite, who: str) -> Answer:
    """Delete an account after a fresh sign-in, with all that follows."""
    answer = ask_to_leave(site, who)
    run_due(site)
    return answer


def settled(site: TestSite) -> None:
    """What follows, the second look at it too."""
    run_due(site)
    site.sources.move(11 * MINUTE)
    run_due(site)
