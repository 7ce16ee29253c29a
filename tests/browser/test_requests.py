"""Checks the labelling page's requests against the list that load benchmarks replay."""

import re

import pytest
from playwright.sync_api import Page, Request, expect

from benchmarks.load.page_requests import DRAFT, EACH_TASK, FIRST_LOAD
from tests.browser.conftest import Window
from tests.browser.desk import Desk, at_work, current, is_sent

pytestmark = pytest.mark.browser
NAMES = [(r"(?<=/phases/)[0-9a-f-]{36}", "{phase}"), (r"(?<=/assignments/)[0-9a-f-]{36}", "{assignment}")]
NAMES += [(r"(?<=/guidelines/)\d+", "{version}")]


def record(page: Page) -> list[str]:
    """Returns a list that collects the page's requests from now on."""
    seen: list[str] = []

    def see(request: Request) -> None:
        path = "/" + request.url.split("/", 3)[-1]
        for pattern, name in NAMES:
            path = re.sub(pattern, name, path)
        if path.startswith("/api/"):
            seen.append(f"{request.method} {path}")

    page.on("request", see)
    return seen


def label(page: Page, done: int) -> None:
    """Rates the task in hand without a pause, submits it, and waits until the page has handled the answer."""
    page.keyboard.type("1111")
    expect(page.get_by_text("The whole solution is fine").locator("visible=true")).to_be_visible()
    page.keyboard.press("Enter")
    is_sent(page)
    expect(page.locator("dl[aria-label='Your progress']:visible div").first).to_have_text(f"today{done}")
    expect(current(page)).to_be_focused()


@pytest.mark.desk(tasks=5)
def test_a_task_costs_its_submission_alone(desk: Desk, window: Window) -> None:
    page = window(desk)
    seen = record(page)
    at_work(page, desk)
    page.wait_for_load_state("networkidle")
    assert seen == list(FIRST_LOAD)
    seen.clear()
    for done in (1, 2, 3):
        label(page, done)
    assert seen == list(EACH_TASK) * 3


def test_signing_in_loads_nothing_that_rates_or_draws_formulas(page: Page) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url.rsplit("/", 1)[-1].split("-")[0]))
    page.goto("/")
    expect(page.get_by_label("User name")).to_be_focused()
    page.wait_for_load_state("networkidle")
    assert "base" in loaded
    assert not {"instrument", "texts"} & set(loaded)


@pytest.mark.desk()
def test_a_task_that_waits_sends_its_draft(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    page.wait_for_load_state("networkidle")
    seen = record(page)
    page.keyboard.press("1")
    expect(page.get_by_text("Saved", exact=True)).to_be_hidden()
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    assert seen == [DRAFT]
