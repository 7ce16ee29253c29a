"""An annotator's day with whole solutions, by keyboard."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Window
from tests.browser.desk import Desk, at_work, current, is_done, is_sent, press, progress, rate, start
from tests.generator import Generator, Handler
from tests.product import words

pytestmark = pytest.mark.browser


def buttons(page: Page) -> dict[str, float] | None:
    """Returns the position of the rating buttons."""
    box = page.locator("[data-tour=ratings]:visible").bounding_box()
    return box and {"x": box["x"], "y": box["y"]}


@pytest.mark.desk(tasks=3, later_steps="hidden")
def test_labels_by_keyboard_and_gets_the_next_task_at_once(
    desk: Desk, page: Page, sign_in: Callable[[str], None]
) -> None:
    sign_in(desk.name)
    start(page)
    first = desk.in_hand()
    expect(page.get_by_text(first["problem"]["statement"])).to_be_visible()
    place = buttons(page)
    press(page, "1", then="Step 2")
    press(page, "2", then="Step 3")
    press(page, "ArrowUp", then="Step 2")
    press(page, "g", then="Step 3")
    page.keyboard.press("b")
    expect(page.get_by_text("Error found at step 3")).to_be_visible()
    assert buttons(page) == place, "Submit stands beside them"
    expect(page.get_by_title("Active time").first).to_have_text(re.compile("[1-9]"))

    page.keyboard.press("Enter")
    expect(progress(page, 0)).to_be_visible()
    expect(current(page)).to_contain_text("Step 1")
    is_sent(page)
    second = desk.in_hand()
    assert second["id"] != first["id"]
    expect(page.get_by_label("Problem").get_by_text(second["problem"]["statement"])).to_be_visible()

    (labelling,) = desk.submitted()
    rated = [(row["step"], row["rating"], row["text"]) for row in labelling["completions"]]
    texts = first["solution"]["steps"]
    assert rated == [(0, 1, texts[0]), (1, 1, texts[1]), (2, -1, texts[2])]
    assert (labelling["annotator"], labelling["finish_reason"]) == (desk.name, "found_error")
    assert [event["rating"] for event in labelling["history"]] == [1, 0, 1, -1]
    assert 0 < labelling["active_ms"] < 120_000

    page.set_viewport_size({"width": 1280, "height": 520})
    for _ in range(2):
        rate(page, "1111")
        expect(page.get_by_text("The whole solution is fine")).to_be_visible()
        last, end = current(page).bounding_box(), page.get_by_role("region", name="Submit").bounding_box()
        assert last
        assert end
        assert last["y"] + last["height"] <= end["y"], "how it ends stands below the last step"
        page.keyboard.press("Enter")
        expect(page.get_by_text("The whole solution is fine")).to_be_hidden()
    is_done(page)
    assert [row["finish_reason"] for row in desk.submitted()] == ["found_error", "solution", "solution"]


@pytest.mark.desk(tasks=2)
def test_gives_up_with_a_reason(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    expect(page).to_have_title(f"{desk.phase['name']} · Stepmark")
    page.keyboard.press("x")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="It takes too long to check")).to_be_focused()
    page.keyboard.press("1")
    expect(dialog.get_by_role("textbox", name="Reason")).to_be_focused()
    page.keyboard.type(": 3 unknowns, 1 equation")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    press(page, "p", then="Step 1")
    expect(dialog.get_by_role("button", name="It cannot be understood")).to_be_focused()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    is_done(page)

    first, second = desk.submitted()
    assert (first["finish_reason"], first["completions"]) == ("give_up", [])
    assert first["finish_note"] == "It takes too long to check: 3 unknowns, 1 equation"
    assert (second["finish_reason"], second["finish_note"]) == ("bad_problem", "Something is missing")


def offers(generator: Generator) -> None:
    """Makes the generator answer with two next steps, or two critiques, as requested."""

    def answer(handler: Handler) -> None:
        is_critique = "contains a mistake" in handler.body["prompt"]
        texts = ["The sum is off by one.", "It says $11$."] if is_critique else ["He has $31$ by now.", "He has many."]
        handler.send(texts)

    generator.answers = [answer]


EVERYTHING = {"asks_alternatives": True, "asks_critiques": True, "asks_progress": True, "alternatives_per_step": 3}


@pytest.mark.desk(tasks=2, attempt=2, later_steps="hidden", **EVERYTHING)
def test_everything_beside_the_first_bad_step(
    desk: Desk, generator: Generator, page: Page, sign_in: Callable[[str], None]
) -> None:
    offers(generator)
    desk.change(generator_url=generator.url, generator_model="small")
    sign_in(desk.name)
    start(page)
    expect(page.get_by_text("3 more steps, shown one by one.").first).to_be_visible()
    first = desk.in_hand()
    rated = rates_what_is_offered(page)
    expect(progress(page, 0)).to_be_visible()
    writes_a_critique(page)
    is_done(page)

    one, other = desk.submitted()
    texts = [row["text"] for row in one["completions"]]
    assert [(row["step"], row["completion"], row["rating"], row["is_flagged"]) for row in one["completions"]] == [
        (0, 0, 1, False),
        (1, 0, -1, False),
        (1, 1, 1, False),
        (1, 2, 0, False),
        (1, 3, None, True),
    ]
    assert texts[:2] == first["solution"]["steps"][:2]
    (right, *_) = dict(words.texts())[first["problem"]["statement"]]  # a round is shuffled
    assert set(texts[2:]) == {right.steps[1], "He has $31$ by now.", "He has many."}
    assert [row["rating"] for row in one["critiques"]] == [1, -1]
    assert one["critiques"][0]["text"] in {"The sum is off by one.", "It says $11$."}
    assert "Alternative A" in rated["alternatives"][0]
    assert "Critique A" in rated["critiques"][0]
    assert (one["solution_progress"], other["solution_progress"]) == ("some", "almost")
    own = {"text": "1 + 2 + 3: the sum is $12 + 21$.", "rating": None, "is_human": True}
    assert other["critiques"] == [own]
    assert one["finish_reason"] == other["finish_reason"] == "found_error"


def offered(page: Page) -> tuple[Locator, Locator]:
    """Returns the alternatives and critiques of the second step."""
    alternatives = page.get_by_role("list", name="Alternatives for step 2").get_by_role("listitem")
    critiques = page.get_by_role("list", name="Critiques of the mistake").get_by_role("listitem")
    expect(alternatives).to_have_count(3)
    expect(critiques).to_have_count(2)
    return alternatives, critiques


def rates_what_is_offered(page: Page) -> dict[str, list[str]]:
    rate(page, "13")
    alternatives, critiques = offered(page)
    expect(current(page)).to_contain_text("Alternative A")
    press(page, "1", then="Alternative B")
    press(page, "2", then="Alternative C")
    press(page, "4", then="Critique A")
    press(page, "1", then="Critique B")
    expect(page.get_by_text("Next: rate the critiques")).to_be_visible()
    press(page, "3", then="How far had")
    page.keyboard.press("2")
    expect(page.get_by_text("Later steps stay unlabelled.").last).to_be_visible()
    rated = {"alternatives": alternatives.all_inner_texts(), "critiques": critiques.all_inner_texts()}
    page.keyboard.press("Enter")
    return rated


def writes_a_critique(page: Page) -> None:
    """Writes a critique, and rates the alternatives."""
    rate(page, "13")
    offered(page)
    page.keyboard.press("w")
    expect(page.get_by_label("Your own critique")).to_be_focused()
    page.keyboard.type("1 + 2 + 3: the sum is $12 + 21$.")
    page.keyboard.press("Escape")
    for name in "ABC":
        expect(current(page)).to_contain_text(f"Alternative {name}")
        page.keyboard.press("2")
    expect(current(page)).to_contain_text("How far had")
    page.keyboard.press("4")
    page.keyboard.press("Enter")


@pytest.mark.desk(is_wide=True)
def test_a_long_answer_has_room_and_is_scrolled_by_key(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    guess = page.get_by_role("group", name="Current guess")
    guess.focus()
    assert guess.evaluate("box => box.clientHeight") > 120
    page.keyboard.press("End")
    page.wait_for_function("box => box.scrollTop > 0", arg=guess.element_handle())


def test_sign_out_and_let_somebody_else_in(page: Page, sign_in: Callable[[str], None]) -> None:
    with page.expect_response("**/api/phases/**"):  # it would be refused once she has signed out
        sign_in("ada")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("User name")).to_be_visible()
    sign_in("ben")
    expect(page.get_by_role("banner")).to_contain_text("ben")


def test_staff_pages_are_not_there(page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("ada")
    for address in ("/phases", "/gold", "/audit-log", "/export", "/labellings", "/pool", "/adjudication", "/people"):
        page.goto(address)
        expect(page.get_by_text("Page not found.")).to_be_visible()
