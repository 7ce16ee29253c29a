"""After a change of the guidelines, staff find labellings by the old ones, and ask for them again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Window
from tests.browser.desk import Desk, at_work, current, is_done, is_sent, progress, rate

pytestmark = pytest.mark.browser


def label_whole(page: Page) -> None:
    rate(page, "1111")
    expect(page.get_by_text("The whole solution is fine")).to_be_visible()
    page.keyboard.press("Enter")


@pytest.mark.desk(tasks=2)
def test_staff_ask_for_what_the_old_rule_touched(
    desk: Desk, window: Window, page: Page, sign_in: Callable[[str], None]
) -> None:
    at_desk = window(desk)
    at_work(at_desk, desk)
    rate(at_desk, "13")
    at_desk.keyboard.press("Enter")
    expect(progress(at_desk, 0)).to_be_visible()
    label_whole(at_desk)
    is_done(at_desk)
    is_sent(at_desk)
    before = desk.submitted()
    assert [each["guidelines_version"] for each in before] == [1, 1]

    desk.change(instructions="A step that only repeats the question is Okay.")
    sign_in("alma")
    page.goto(f"/phases/{desk.phase['id']}/settings")
    expect(page.get_by_text("Given under an older version: 2 labellings.")).to_be_visible()
    page.get_by_role("link", name="Show them, to ask for relabelling").click()
    expect(page.get_by_label("Guidelines")).to_have_value("true")
    page.get_by_label("Has a rating").select_option("Bad")
    expect(page.get_by_text("1 labelling", exact=True)).to_be_visible()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Ask for relabelling").click()
    question = page.get_by_role("group", name="Ask for relabelling")
    expect(question.get_by_text("1 labelling will stop counting")).to_be_visible()
    question.get_by_role("button", name="Ask for relabelling").click()
    expect(page.get_by_text("1 labelling will be given again.")).to_be_visible()
    expect(page.get_by_text("No matches.")).to_be_visible()
    page.get_by_label("State").select_option("Superseded")
    page.get_by_role("link", name="Open the labelling of").click()
    expect(page.get_by_role("dialog").get_by_text("It no longer counts")).to_be_visible()

    at_work(at_desk, desk)  # the task is there again, without what was rated
    expect(current(at_desk)).to_contain_text("Step 1")
    label_whole(at_desk)
    is_done(at_desk)
    is_sent(at_desk)
    other, again = desk.submitted()
    assert (other["id"], again["task"]) == (before[1]["id"], before[0]["task"])
    assert (again["guidelines_version"], again["supersedes"]) == (2, [before[0]["id"]])
