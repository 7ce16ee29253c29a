"""Hostile texts do no harm, wherever they are shown."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Window
from tests.browser.desk import Desk, at_work, current, is_done, press, start
from tests.generator import Generator
from tests.product.words import HOSTILE

pytestmark = pytest.mark.browser

LIVE = ":is(script, iframe, object, embed, img, svg[onload], [onerror], [onload], a[href^='javascript'])"


def check(page: Page, within: str = "main") -> None:
    expect(page.locator(within).get_by_text("<script>window.hacked = 1</script>").first).to_be_visible()
    assert page.locator(f"body {LIVE}:not(body > script)").count() == 0
    assert page.locator("main a").evaluate_all("links => links.every(link => link.protocol === 'http:')")
    assert page.evaluate("window.hacked") is None


@pytest.mark.desk(
    is_hostile=True, instructions=HOSTILE, asks_alternatives=True, asks_critiques=True, alternatives_per_step=1
)
def test_it_runs_nothing_in_a_solution(
    desk: Desk, generator: Generator, window: Window, page: Page, sign_in: Callable[[str], None]
) -> None:
    generator.answers = [[f"Written, {HOSTILE}"]]
    desk.change(generator_url=generator.url, generator_model="small")
    theirs = window(desk)
    theirs.goto("/")
    theirs.get_by_text("Guidelines").click()
    check(theirs)
    theirs.goto("/")
    start(theirs)
    check(theirs)
    theirs.keyboard.press("i")
    check(theirs, "[role=dialog]")
    theirs.keyboard.press("Escape")
    press(theirs, "3", then="Written,")
    for panel in ("Alternatives for step 1", "Critiques of the mistake"):
        expect(theirs.get_by_role("list", name=panel)).to_contain_text("Written,")
    check(theirs, "section section li")
    press(theirs, "1", then="Critique A")
    theirs.keyboard.press("w")
    theirs.keyboard.insert_text(HOSTILE)
    theirs.keyboard.press("Escape")
    check(theirs)
    theirs.keyboard.press("r")
    expect(theirs.get_by_role("dialog").get_by_label("What should it be, and why?")).to_be_focused()
    theirs.keyboard.insert_text(HOSTILE)
    theirs.keyboard.press("Enter")
    expect(theirs.get_by_role("dialog")).to_have_count(0)
    theirs.keyboard.press("Enter")
    is_done(theirs)

    sign_in("alma")
    page.goto("/labellings")
    check(page)
    page.get_by_role("link", name="Open the labelling of").first.click()
    expect(page.get_by_role("dialog").get_by_text("Step 1", exact=True).first).to_be_visible()
    check(page, "[role=dialog]")
    (case,) = desk.world.admin.every(f"adjudication/reference_answer/?phase={desk.phase['id']}")
    page.goto(f"/adjudication/reference_answer/{case['id']}")
    expect(page.get_by_role("term").filter(has_text="Person A").first).to_be_visible()
    check(page)
    task = desk.world.admin.call("GET", f"adjudication/reference_answer/{case['id']}/")
    great = [1 for _ in task["solution"]["steps"]]
    ruling = {"outcome": "ratings", "ratings": great}
    desk.world.admin.call("POST", f"adjudication/reference_answer/{case['id']}/", ruling)
    page.reload()
    expect(page.get_by_role("term").filter(has_text=desk.name).first).to_be_visible()
    check(page)


@pytest.mark.desk(kind="alternatives", is_hostile=True, alternatives_per_step=2)
def test_it_runs_nothing_in_alternatives(desk: Desk, generator: Generator, window: Window) -> None:
    generator.answers = [[f"Written, {HOSTILE}"]]
    desk.change(generator_url=generator.url, generator_model="small")
    page = window(desk)
    at_work(page, desk)
    cards = page.get_by_role("list", name="Completions of step 1").get_by_role("listitem")
    expect(cards).to_have_count(2)
    check(page, "main ol")
    page.keyboard.press("d")
    expect(current(page)).to_contain_text("Against Completion B")
    check(page, "main ol")
    page.keyboard.press("w")
    page.keyboard.insert_text(HOSTILE)
    check(page, "main form")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(cards).to_have_count(3)
    check(page, "main ol")
