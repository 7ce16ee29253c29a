"""Reloads, other devices, no network, two tabs: nothing is lost or sent twice."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Window
from tests.browser.desk import (
    Desk,
    at_work,
    at_work_with_two_ahead,
    current,
    is_done,
    is_saved,
    is_sent,
    press,
    progress,
    rate,
    see_two_ratings,
)
from tests.product.world import until

pytestmark = pytest.mark.browser


@pytest.mark.desk()
def test_a_reload_and_another_device_give_the_same_task_and_draft(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    rate(page, "12")
    expect(current(page)).to_contain_text("Step 3")
    page.keyboard.press("n")
    page.keyboard.type("1 2 3 z x Enter is typed, not rated")
    page.keyboard.press("Escape")
    is_saved(page)
    task = desk.in_hand()

    page.reload()
    see_two_ratings(page)
    other = window(desk)
    other.goto(desk.address)
    see_two_ratings(other)
    expect(other.get_by_text("1 2 3 z x Enter is typed, not rated")).to_be_visible()
    assert desk.in_hand()["id"] == task["id"]


@pytest.mark.desk()
def test_a_tab_closed_right_after_a_rating_loses_nothing(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    rate(page, "12")
    page.close(run_before_unload=True)
    until(lambda: len((desk.draft() or {"ratings": []})["ratings"]) == 4, "the draft has arrived")
    assert [row["rating"] for row in (desk.draft() or {})["ratings"]] == [1, 0, None, None]

    other = window(desk)
    other.goto(desk.address)
    see_two_ratings(other)


@pytest.mark.desk(tasks=3)
def test_offline_work_queues_and_goes_out_once(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work_with_two_ahead(page, desk)
    page.context.set_offline(True)
    rate(page, "1111")
    expect(page.get_by_text("The whole solution is fine")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Offline: 1 submission waiting")).to_be_visible()
    expect(progress(page, 0)).to_be_visible()
    rate(page, "113")
    expect(page.get_by_text("Error found at step 3")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Offline: 2 submissions waiting")).to_be_visible()
    expect(progress(page, 0)).to_be_visible()
    rate(page, "13")
    expect(page.get_by_text("Error found at step 2")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Offline: 3 submissions waiting")).to_be_visible()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    assert desk.submitted() == []

    page.context.set_offline(False)
    is_done(page)
    expect(page.get_by_text("submissions waiting")).to_be_hidden()
    is_sent(page)
    assert [row["finish_reason"] for row in desk.submitted()] == ["solution", "found_error", "found_error"]
    assert [len(row["completions"]) for row in desk.submitted()] == [4, 3, 2]
    assert all(row["supersedes"] == [] for row in desk.submitted())


@pytest.mark.desk(tasks=2)
def test_unsent_work_survives_a_closed_tab(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work_with_two_ahead(page, desk)
    page.context.set_offline(True)
    rate(page, "3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Offline: 1 submission waiting")).to_be_visible()
    rate(page, "12")
    expect(page.get_by_text("Offline: kept here")).to_be_visible()
    page.close()
    page.context.set_offline(False)

    page = page.context.new_page()
    page.goto(desk.address)
    see_two_ratings(page)
    is_sent(page)
    (labelling,) = desk.submitted()
    assert [row["rating"] for row in labelling["completions"]] == [-1]


@pytest.mark.desk(tasks=2)
def test_two_tabs_do_not_fight(desk: Desk, window: Window) -> None:
    one = window(desk)
    at_work(one, desk)
    rate(one, "1")
    two = one.context.new_page()
    two.goto(desk.address)
    expect(two.get_by_role("heading", name="Open in another tab")).to_be_visible()
    one.bring_to_front()
    press(one, "2", then="Step 3")

    two.bring_to_front()
    expect(two.get_by_role("button", name="Use here")).to_be_focused()
    two.keyboard.press("Enter")
    see_two_ratings(two)
    expect(one.get_by_role("heading", name="Open in another tab")).to_be_visible()
    expect(two.get_by_text("0 of 4 steps rated")).to_be_attached()  # the next one stands ready
    two.route("**/submit/", lambda route: None)
    two.keyboard.press("3")
    two.keyboard.press("Enter")
    expect(progress(two, 0)).to_be_visible()

    two.close()  # with its submission on the way
    one.bring_to_front()
    expect(progress(one, 0)).to_be_visible()
    rate(one, "3")
    one.keyboard.press("Enter")
    is_done(one)
    assert [len(row["completions"]) for row in desk.submitted()] == [3, 1]
