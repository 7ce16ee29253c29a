"""Screening: labelled before anything else, with the experts' ratings beside one's own, until passed or failed."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Window
from tests.browser.desk import Desk, is_done, rate, start

pytestmark = pytest.mark.browser


@pytest.mark.desk(tasks=1, attempt=2, screening=2, pass_mark=0.6)
def test_passed_and_on_to_real_work(desk: Desk, window: Window) -> None:
    page = window(desk)
    page.goto("/")
    expect(page.get_by_text("Screening first")).to_be_visible()
    start(page, "Start the screening")
    rate(page, "23")
    page.keyboard.press("Enter")
    result = page.get_by_role("region", name="Screening")
    expect(result).to_contain_text("You rated every step as the experts did. 100")
    expect(result).to_contain_text("Task 1 of 2")
    expect(result).to_contain_text("A sum is wrong.")
    page.keyboard.press("Enter")

    rate(page, "2113")
    page.keyboard.press("Enter")
    expect(result).to_contain_text("Step 2 is where you first differ from the experts.")
    expect(result).to_contain_text("Screening passed")
    page.get_by_role("button", name="The experts look wrong").click()
    page.get_by_label("Which step, and why?").fill("Step 2 says the same again.")
    page.keyboard.press("Enter")
    expect(result).to_contain_text("Reported. An admin will look into it.")
    page.keyboard.press("Enter")
    rate(page, "23")
    page.keyboard.press("Enter")
    is_done(page)
    numbers = [(row["round_number"], row["finish_reason"]) for row in desk.submitted()]
    disputes = desk.world.admin.every("adjudication/gold/")
    assert [row["round_number"] for row in disputes if row["phase_name"] == desk.name] == [-1]
    assert numbers == [(-1, "found_error"), (-1, "found_error"), (0, "found_error")]


@pytest.mark.desk(tasks=1, attempt=2, screening=1, gives_feedback=False, screening_attempts=2)
def test_failed(desk: Desk, window: Window) -> None:
    page = window(desk)
    page.goto(desk.address)
    rate(page, "1111")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Not passed yet")).to_be_visible()
    expect(page.get_by_text("You have another attempt")).to_be_visible()
    page.keyboard.press("Enter")
    rate(page, "1111")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The screening is over")).to_be_visible()
    expect(page.get_by_text("Experts:")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Talk to an admin about another try.")).to_be_visible()
    assert [row["round_number"] for row in desk.submitted()] == [-1]
