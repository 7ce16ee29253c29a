"""Undo, revising a submission, and reporting to the admins."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Window
from tests.browser.desk import Desk, at_work, current, go_to, is_done, is_saved, is_sent, press, progress, rate

pytestmark = pytest.mark.browser


@pytest.mark.desk()
def test_undo_takes_ratings_back_one_by_one(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    rate(page, "12")
    press(page, "4", then="Step 4")
    press(page, "z", then="Step 3")
    press(page, "Backspace", then="Step 2")
    expect(progress(page, 1)).to_be_visible()
    rate(page, "3", first=2)
    expect(page.get_by_text("Error found at step 2")).to_be_visible()
    page.keyboard.press("z")
    expect(page.get_by_text("Error found at step 2")).to_be_hidden()
    is_saved(page)
    draft = desk.draft() or {}
    assert [row["rating"] for row in draft["ratings"]] == [1, None, None, None]
    assert [row["rating"] for row in draft["history"]] == [1, 0, None, None, None, -1, None]


@pytest.mark.desk(tasks=2)
def test_a_submission_is_revised_from_the_history(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    rate(page, "13")
    page.keyboard.press("Enter")
    expect(progress(page, 0)).to_be_visible()
    is_sent(page)
    (before,) = desk.submitted()
    press(page, "1", then="Step 2")

    page.keyboard.press("h")
    row = page.get_by_role("dialog").get_by_role("button", name="Revise")
    expect(row).to_be_focused()
    expect(row).to_contain_text("Error found")
    page.keyboard.press("Enter")
    expect(page.get_by_text("You are revising what you submitted.")).to_be_visible()
    expect(current(page)).to_contain_text("Step 2")
    rate(page, "111", first=2)
    expect(page.get_by_text("The whole solution is fine")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("You are revising what you submitted.")).to_be_hidden()
    expect(progress(page, 1)).to_be_visible()
    expect(current(page)).to_contain_text("Step 2")

    is_sent(page)
    (now,) = desk.submitted()
    assert now["supersedes"] == [before["id"]]
    assert [row["rating"] for row in now["completions"]] == [1, 1, 1, 1]
    assert (now["finish_reason"], now["superseded_at"]) == ("solution", None)
    old = desk.world.admin.call("GET", f"labellings/{before['id']}/")
    assert [row["rating"] for row in old["completions"]] == [1, -1]
    assert old["superseded_at"] == now["submitted_at"]


@pytest.mark.desk(tasks=2)
def test_undo_on_a_fresh_task_revises_the_submission_before_it(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    rate(page, "13")
    page.keyboard.press("Enter")
    expect(progress(page, 0)).to_be_visible()
    page.keyboard.press("z")
    expect(page.get_by_text("You are revising what you submitted.")).to_be_visible()
    expect(page.get_by_text("Error found at step 2")).to_be_visible()
    go_to(page, page.get_by_role("button", name="Back to the task in hand"))
    page.keyboard.press("Enter")
    expect(progress(page, 0)).to_be_visible()
    page.context.set_offline(True)
    page.keyboard.press("z")
    expect(page.get_by_text("Going back to your last submission needs the connection.")).to_be_visible()
    expect(progress(page, 0)).to_be_visible()


@pytest.mark.desk(tasks=2)
def test_a_skipped_task_comes_again_with_its_draft(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    press(page, "1", then="Step 2")
    page.keyboard.press("s")
    expect(progress(page, 0)).to_be_visible()
    page.keyboard.press("s")
    expect(progress(page, 1)).to_be_visible()
    expect(current(page)).to_contain_text("Step 2")


@pytest.mark.desk(tasks=2, attempt=2, is_unanswered=True)
def test_a_soft_check_leads_back_to_the_task(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    rate(page, "1111")
    page.keyboard.press("Enter")
    notice = page.get_by_role("status").filter(has_text="Worth a second look?")
    expect(notice).to_contain_text("The last step is Great, but the solution states no final answer.")
    expect(current(page)).to_contain_text("Step 1")
    go_to(page, notice.get_by_role("button", name="Look again"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("You are revising what you submitted.")).to_be_visible()
    expect(notice).to_be_hidden()
    expect(page.get_by_role("button", name="Step 2, rated Great")).to_be_visible()
    for step in (3, 2):
        page.keyboard.press("ArrowUp")
        expect(current(page)).to_contain_text(f"Step {step}")
    page.keyboard.press("3")
    expect(page.get_by_text("Error found at step 2")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("You are revising what you submitted.")).to_be_hidden()

    is_sent(page)
    (labelling,) = desk.submitted()
    assert len(labelling["supersedes"]) == 1
    old = desk.world.admin.call("GET", f"labellings/{labelling['supersedes'][0]}/")
    assert "fine_but_incomplete" in old["checks"]
    assert "fine_but_incomplete" not in labelling["checks"]
    assert [row["rating"] for row in labelling["completions"]] == [1, -1]


@pytest.mark.desk()
def test_a_wrong_reference_answer_reaches_the_admins(
    desk: Desk, window: Window, page: Page, sign_in: Callable[[str], None]
) -> None:
    theirs = window(desk)
    at_work(theirs, desk)
    theirs.keyboard.press("r")
    dialog = theirs.get_by_role("dialog")
    expect(dialog.get_by_label("What should it be, and why?")).to_be_focused()
    theirs.keyboard.type("It should be 3.")
    theirs.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(theirs.get_by_role("button", name="Reported")).to_be_visible()
    rate(theirs, "3")
    theirs.keyboard.press("Enter")
    is_done(theirs)

    sign_in("alma")
    (case,) = desk.world.admin.every(f"adjudication/reference_answer/?phase={desk.phase['id']}")
    page.goto(f"/adjudication/reference_answer/{case['id']}")
    expect(page.get_by_role("main")).to_contain_text("It should be 3.")
    page.keyboard.press("n")
    page.keyboard.type("The answer on file is right.")
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.get_by_role("button", name="Settle", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    go_to(page, page.get_by_role("link", name="Return to the case"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Rulings so far")).to_be_visible()
    (report,) = desk.world.admin.call("GET", f"adjudication/reference_answer/{case['id']}/")["reports"]
    assert report["resolution"] == "The answer on file is right."
