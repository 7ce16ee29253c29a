"""A problem written by somebody who means harm does none, wherever it is shown."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.product.world import World

pytestmark = pytest.mark.browser

LIVE = "main :is(script, iframe, object, embed, form, img, svg[onload], [onerror], [onload], a[href^='javascript'])"


def check(page: Page) -> None:
    expect(page.get_by_text("<script>window.hacked = 1</script>").first).to_be_visible()
    assert page.locator(LIVE).count() == 0
    assert page.locator("main a").evaluate_all("links => links.every(link => link.protocol === 'http:')")
    assert page.evaluate("window.hacked") is None


def test_it_runs_nothing(world: World, page: Page, sign_in: Callable[[str], None]) -> None:
    world.product.manage("shell", "--no-imports", "-c", "from tests.product import seed; seed.make_hostile_phase()")
    sign_in("ben")
    card = page.get_by_role("article").filter(has_text="Hostile")
    check(page)
    card.get_by_role("link", name="Start labelling").click()
    expect(page.locator("li[aria-current=step]")).to_contain_text("Step 1")
    check(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("What the ratings mean")
    check(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All done here")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()

    sign_in("alma")
    page.goto("/labellings")
    check(page)
    page.get_by_role("button", name="Open the labelling of").first.click()
    expect(page.get_by_role("dialog").get_by_text("Step 1", exact=True)).to_be_visible()
    check(page)
