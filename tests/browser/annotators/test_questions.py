"""A question about a task: asked while labelling, answered by an admin, read on the start page and on the task."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Window
from tests.browser.desk import Desk, at_work

pytestmark = pytest.mark.browser


@pytest.mark.desk()
def test_a_question_is_answered(desk: Desk, window: Window, page: Page, sign_in: Callable[[str], None]) -> None:
    theirs = window(desk)
    at_work(theirs, desk)
    theirs.keyboard.press("q")
    dialog = theirs.get_by_role("dialog")
    expect(dialog.get_by_label("Your question")).to_be_focused()
    expect(dialog).to_contain_text("Enter saves, Escape leaves.")
    theirs.keyboard.type("Is $x = 0$ allowed?")
    theirs.keyboard.press("Enter")
    expect(dialog).to_be_hidden()

    sign_in("alma")
    (case,) = desk.world.admin.every(f"adjudication/question/?phase={desk.phase['id']}")
    page.goto(f"/adjudication/question/{case['id']}")
    expect(page.get_by_role("textbox", name="Answer", exact=True)).to_be_focused()
    page.keyboard.type("Yes, it is.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Answered:")).to_be_visible()

    theirs.goto("/")
    theirs.get_by_role("button", name="1 answer").press("Enter")
    expect(dialog).to_contain_text("Yes, it is.")
    theirs.keyboard.press("Escape")
    expect(theirs.get_by_role("button", name="1 answer")).to_be_hidden()
    at_work(theirs, desk)
    expect(theirs.get_by_role("button", name="Question")).to_contain_text("answered")


@pytest.mark.desk()
def test_a_closed_round_shows_where_one_differed(desk: Desk, window: Window) -> None:
    desk.change(shows_consensus=True)
    task = desk.in_hand()
    ratings = [{"step": step, "rating": 1} for step in range(len(task["solution"]["steps"]))]
    desk.client.call("POST", f"assignments/{task['id']}/report/", {"kind": "question", "note": "Is step 2 right?"})
    desk.client.call("POST", f"assignments/{task['id']}/submit/", {"ratings": ratings, "finish_reason": "solution"})
    (case,) = desk.world.admin.every(f"adjudication/question/?phase={desk.phase['id']}")
    ruling = {"outcome": "ratings", "ratings": [1, -1]}
    desk.world.admin.call("POST", f"adjudication/question/{case['id']}/", ruling)
    desk.world.close_round(desk.phase)

    page = window(desk)
    page.goto("/")
    page.get_by_role("link", name="Where you differed").press("Enter")
    expect(page.get_by_text("You differed on 1 of 1 task.")).to_be_visible()
    expect(page.get_by_role("heading", name="step 2")).to_be_visible()
    expect(page.get_by_text("An expert’s ruling: Bad")).to_be_visible()
