"""Offline and across updates: work survives a reload, and an open page keeps its files."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.annotators.updates import Updated
from tests.browser.conftest import Window
from tests.browser.desk import (
    Desk,
    at_work,
    at_work_with_two_ahead,
    current,
    is_sent,
    progress,
    rate,
    see_two_ratings,
    start,
)
from tests.product.world import World, until

pytestmark = pytest.mark.browser


def at_work_with_all_kept(window: Window, desk: Desk) -> Page:
    page = window(desk, service_workers="allow")
    at_work_with_two_ahead(page, desk)
    is_kept(page)
    return page


def is_kept(page: Page) -> None:
    """Waits until the page is stored; polls from here, since the page's policy forbids a waiting script."""
    controlled = "navigator.serviceWorker.controller !== null"
    until(lambda: page.evaluate(controlled), "the service worker keeps the page's files")


def gone(route: Route) -> None:
    route.fulfill(status=404)


def another_build(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace("/assets/index-", "/assets/index-later-"))


@pytest.mark.desk(tasks=4)
def test_a_reload_offline_goes_on(desk: Desk, window: Window) -> None:
    page = at_work_with_all_kept(window, desk)
    page.context.set_offline(True)
    rate(page, "12")
    expect(page.get_by_text("Offline: kept here")).to_be_visible()

    page.reload()
    see_two_ratings(page)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Offline: 1 submission waiting")).to_be_visible()
    rate(page, "12")

    page.reload()
    expect(page.get_by_text("Offline: 1 submission waiting")).to_be_visible()
    see_two_ratings(page)
    rate(page, "11", first=3)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Offline: 2 submissions waiting")).to_be_visible()

    page.reload()
    expect(progress(page, 0)).to_be_visible()
    rate(page, "13")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Offline: 3 submissions waiting")).to_be_visible()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()

    page.context.set_offline(False)
    is_sent(page)
    expect(progress(page, 0)).to_be_visible()
    assert [len(row["completions"]) for row in desk.submitted()] == [3, 4, 2]


@pytest.mark.desk(tasks=2)
def test_the_tools_open_offline(desk: Desk, window: Window) -> None:
    page = at_work_with_all_kept(window, desk)
    page.context.set_offline(True)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys and guide")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("=")
    expect(page.get_by_role("dialog", name="Calculator")).to_be_visible()


@pytest.mark.desk(tasks=2)
def test_an_update_takes_nothing_from_an_open_page(desk: Desk, window: Window) -> None:
    page = at_work_with_all_kept(window, desk)
    page.context.route("**/static/assets/**", gone)  # the files of the new build have other names
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys and guide")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    expect(page.get_by_role("dialog", name="Your last submissions")).to_be_visible()


@pytest.fixture
def updated(world: World) -> Iterator[Updated]:
    server = Updated(world.product.address)
    yield server
    server.close()


def opens_help(page: Page) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys and guide")).to_be_visible()
    page.keyboard.press("Escape")


@pytest.mark.desk(tasks=2)
def test_one_version_hands_over_to_the_next(desk: Desk, window: Window, updated: Updated) -> None:
    """An open page keeps its own files; one opened later has the new ones, also offline."""
    caches = "caches.keys().then((names) => names.map((name) => name.includes('-later')))"
    own = "document.querySelector('script[type=module]').src.includes('-later')"
    page = window(desk, may_err=True, service_workers="allow", base_url=updated.address)
    at_work_with_two_ahead(page, desk)
    is_kept(page)
    assert page.evaluate(caches) == [False]

    updated.is_updated = True
    page.evaluate("navigator.serviceWorker.ready.then((worker) => worker.update())")
    waiting = "navigator.serviceWorker.ready.then(({ waiting }) => waiting !== null)"
    until(lambda: page.evaluate(waiting), "the new version waits")
    assert sorted(page.evaluate(caches)) == [False, True]
    opens_help(page)  # which it loads only now
    later = page.context.new_page()
    later.goto("/account")
    expect(later.get_by_role("button", name="Sign out")).to_be_visible()
    assert (page.evaluate(own), later.evaluate(own)) == (False, True)

    later.close()
    page.close()
    newest = page.context.service_workers[-1]
    until(lambda: newest.evaluate("serviceWorker.state") == "activated", "the new version is in charge")
    page = page.context.new_page()
    at_work(page, desk)
    assert page.evaluate(caches) == [True]
    page.context.set_offline(True)
    page.reload()
    expect(current(page)).to_be_focused()
    opens_help(page)
    assert page.evaluate(own)


@pytest.mark.desk(tasks=2)
def test_signing_out_leaves_no_task_behind(desk: Desk, window: Window) -> None:
    page = at_work_with_all_kept(window, desk)
    kept = "Object.keys(localStorage).filter((key) => /^stepmark.(work|person)/.test(key)).length"
    until(lambda: page.evaluate(kept) == 3, "the person and both tasks are kept")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("User name")).to_be_visible()
    assert page.evaluate(kept) == 0


@pytest.mark.desk(tasks=2)
def test_a_panel_that_cannot_be_loaded_says_so_in_its_place(desk: Desk, window: Window) -> None:
    page = window(desk, may_err=True)
    at_work_with_two_ahead(page, desk)
    page.route("**/static/assets/HelpDialog*", gone)
    page.keyboard.press("?")
    expect(page.get_by_text("This part could not be loaded.")).to_be_visible()
    rate(page, "12")
    see_two_ratings(page)
    page.unroute("**/static/assets/HelpDialog*")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("dialog", name="Keys and guide")).to_be_visible()


@pytest.mark.desk()
def test_an_updated_page_is_loaded_anew_where_nothing_is_open(desk: Desk, window: Window) -> None:
    page = window(desk, may_err=True)
    page.goto("/")
    page.route("**/static/assets/LabelPage*.js", gone, times=1)
    page.route(re.compile(r"//[^/]+/$"), another_build, times=1)
    start(page)
