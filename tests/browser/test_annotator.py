"""An annotator's day, by keyboard."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.product.world import Row, World

pytestmark = pytest.mark.browser


def current(page: Page) -> Locator:
    """The step that the next key rates."""
    return page.locator("li[aria-current=step]")


def press(page: Page, key: str, then_step: int) -> None:
    page.keyboard.press(key)
    expect(current(page)).to_contain_text(f"Step {then_step}")


def start(page: Page) -> None:
    """Enter starts the first phase: its link has the keyboard."""
    expect(page.get_by_role("link", name="Start labelling")).to_be_focused()
    page.keyboard.press("Enter")
    expect(current(page)).to_contain_text("Step 1")


@pytest.fixture
def work(world: World) -> Row:
    """A round of three tasks, all for ada; other rounds of hers are over."""
    for row in world.admin.every("rounds/"):
        if row["status"] == "open" and row["phase_name"].startswith("Ada"):
            world.admin.call("POST", f"rounds/{row['id']}/close/")
    phase = world.new_phase(f"Ada {world.count_labellings()}.{len(list(world.admin.every('phases/')))}", ["ada"])
    world.publish(phase, policy="uniform", size=3)
    return phase


def submitted(world: World, phase: Row) -> list[Row]:
    rows = world.admin.every(f"labellings/?phase={phase['id']}")
    return [world.admin.call("GET", f"labellings/{row['id']}/") for row in rows]


def in_hand(world: World, phase: Row) -> Row:
    assignment: Row = world.people["ada"].call("POST", f"phases/{phase['id']}/claim/")["assignment"]
    return assignment


def test_labels_by_keyboard_and_gets_the_next_task_at_once(
    world: World, work: Row, page: Page, sign_in: Callable[[str], None]
) -> None:
    sign_in("ada")
    start(page)
    first = in_hand(world, work)
    expect(page.get_by_text(first["problem"]["statement"])).to_be_visible()
    press(page, "1", then_step=2)
    press(page, "2", then_step=3)
    press(page, "ArrowUp", then_step=2)
    press(page, "g", then_step=3)
    page.keyboard.press("b")
    expect(page.get_by_text("Error found at step 3")).to_be_visible()
    expect(page.get_by_title("Active time")).to_have_text(re.compile("[1-9]"))

    page.keyboard.press("Enter")
    expect(current(page)).to_contain_text("Step 1")
    expect(page.get_by_text("0 of 4 steps rated")).to_be_visible()
    second = in_hand(world, work)
    assert second["id"] != first["id"]
    expect(page.get_by_text(second["problem"]["statement"])).to_be_visible()

    (labelling,) = submitted(world, work)
    rated = [(row["step"], row["rating"], row["text"]) for row in labelling["completions"]]
    texts = first["solution"]["steps"]
    assert rated == [(0, 1, texts[0]), (1, 1, texts[1]), (2, -1, texts[2])]
    assert (labelling["annotator"], labelling["finish_reason"]) == ("ada", "found_error")
    assert [event["rating"] for event in labelling["history"]] == [1, 0, 1, -1]
    assert 0 < labelling["active_ms"] < 120_000


def test_a_reload_keeps_the_draft(world: World, work: Row, page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("ada")
    start(page)
    press(page, "1", then_step=2)
    press(page, "2", then_step=3)
    page.keyboard.press("n")
    page.keyboard.type("1 2 3 is typed, not rated")
    page.keyboard.press("Escape")
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()
    task = in_hand(world, work)

    page.reload()
    expect(current(page)).to_contain_text("Step 3")
    expect(page.get_by_text("2 of 4 steps rated")).to_be_visible()
    expect(page.get_by_text("1 2 3 is typed, not rated")).to_be_visible()
    expect(page.get_by_role("button", name="Step 1, rated Great")).to_be_visible()
    expect(page.get_by_role("button", name="Step 2, rated Okay")).to_be_visible()
    assert in_hand(world, work)["id"] == task["id"]


def test_finishes_the_round(world: World, work: Row, page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("ada")
    start(page)
    for _ in range(3):
        expect(current(page)).to_contain_text("Step 1")
        expect(page.get_by_text("0 of 4 steps rated")).to_be_visible()
        for step in (2, 3, 4):
            press(page, "1", then_step=step)
        page.keyboard.press("1")
        expect(page.get_by_text("The whole solution is fine")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_text("The whole solution is fine")).to_be_hidden()
    expect(page.get_by_role("heading", name="All done here")).to_be_visible()
    assert [row["finish_reason"] for row in submitted(world, work)] == ["solution"] * 3


def test_gives_up_with_a_reason(world: World, work: Row, page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("ada")
    start(page)
    page.keyboard.press("x")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("3 unknowns, 1 equation")
    dialog.get_by_role("button", name="Send and go on").click()
    expect(dialog).to_be_hidden()
    expect(current(page)).to_contain_text("Step 1")

    (labelling,) = submitted(world, work)
    assert labelling["finish_reason"] == "give_up"
    assert (labelling["finish_note"], labelling["completions"]) == ("3 unknowns, 1 equation", [])


def test_staff_pages_are_not_there(page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("ada")
    for address in ("/loop", "/rounds", "/labellings", "/pool"):
        page.goto(address)
        expect(page.get_by_text("There is no page here.")).to_be_visible()
