"""A doctrine opened to challenges in the very moment it is edited, deleted, or its author leaves (P5, P22)."""

from pathlib import Path

import pytest

from engine.platform import doctrines
from engine.platform.doctrines import Book, Contender
from engine.platform.members import MemberId
from infra.records import BOOK, CONTENDER
from tests.support.browser import Browser
from tests.support.duelling import member, post_json
from tests.support.interleaving import just_before_the_commit
from tests.support.leaving import ask_to_leave, settled
from tests.support.site import TestSite, site_in
from tests.support.solo import save

ANNA = MemberId("anna")


@pytest.fixture
def site(tmp_path: Path) -> TestSite:
    return site_in(tmp_path)


@pytest.fixture
def anna(site: TestSite) -> Browser:
    browser = member(site, "Anna")
    save(browser, 1, name="Old")
    return browser


def publish(site: TestSite) -> None:
    """Open the first place to challenges."""
    store = site.calm.store
    book, public = store.get(BOOK, ANNA), store.get(CONTENDER, "anna:1")
    store.commit(doctrines.publish(ANNA, book, public, 1, site.sources.now(), site.site.settings.zone))


def public(site: TestSite) -> Contender:
    """What everybody may know of the first place."""
    row = site.calm.store.get(CONTENDER, "anna:1")
    assert row is not None
    return row.value


@pytest.mark.parametrize("before", [False, True])
def test_what_is_saved_as_it_is_opened_is_opened_under_its_new_name(
    site: TestSite, anna: Browser, before: bool
) -> None:
    if before:
        publish(site)
        post_json(anna, "/doctrines/1/unpublish", {})
    with just_before_the_commit(site, Book, lambda: publish(site)):
        save(anna, 1, name="New")
    assert (public(site).name, public(site).open) == ("New", True)


@pytest.mark.parametrize("before", [False, True])
def test_what_is_deleted_as_it_is_opened_can_not_be_challenged(site: TestSite, anna: Browser, before: bool) -> None:
    if before:
        publish(site)
        post_json(anna, "/doctrines/1/unpublish", {})
    with just_before_the_commit(site, Book, lambda: publish(site)):
        assert post_json(anna, "/doctrines/1/delete", {}).status == 303
    assert not public(site).open


def test_nor_can_what_is_opened_as_its_author_leaves(site: TestSite, anna: Browser) -> None:
    ask_to_leave(site, "anna")
    with just_before_the_commit(site, Book, lambda: publish(site)):
        settled(site)
    assert site.calm.store.get(BOOK, ANNA) is None and not public(site).open
