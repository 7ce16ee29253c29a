"""On a phone, by touch alone; and with the interface written from right to left."""

from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.browser.conftest import Window
from tests.browser.desk import Desk, at_work, current, is_done, is_sent, progress, rate

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WIDER_THAN_THE_PAGE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def fits(page: Page) -> None:
    assert not page.evaluate(WIDER_THAN_THE_PAGE), page.url


def top(element: Locator) -> float:
    return (element.bounding_box() or {"y": -1.0})["y"]


def bottom(element: Locator) -> float:
    return top(element) + (element.bounding_box() or {"height": 9999.0})["height"]


def tap(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.tap()


def tap_rating(page: Page, what: str, name: str) -> None:
    page.get_by_role("group", name=f"Rating of {what}").get_by_role("button", name=name).tap()


def follow(page: Page, name: str) -> None:
    """Taps a link until its page opens: on a busy machine a tap may become a long press."""
    link = page.get_by_role("link", name=name)
    address = page.url
    link.tap()
    while page.url == address:
        with suppress(TimeoutError):
            page.wait_for_url(lambda url: url != address, timeout=5000)
            return
        link.tap()


@pytest.mark.desk(tasks=2, attempt=2, asks_progress=True)
def test_a_task_and_a_revision_by_touch(desk: Desk, window: Window) -> None:
    page = window(desk, **PHONE)
    page.goto("/")
    fits(page)
    follow(page, "Start labelling")
    expect(current(page)).to_contain_text("Step 1")
    fits(page)
    tap(page, "Fold")
    tap(page, "Unfold")
    tap(page, "Great")
    expect(current(page)).to_contain_text("Step 2")
    page.get_by_role("button", name="Add a note").tap()
    page.get_by_label("Note on step 2").fill("A note")
    tap(page, "Bad")
    page.get_by_role("button", name="Part of the way").tap()
    expect(page.get_by_text("Error found at step 2")).to_be_visible()
    fits(page)
    page.get_by_role("button", name="Undo").tap()
    page.get_by_role("button", name="Undo").tap()
    expect(current(page)).to_contain_text("Step 2")
    page.get_by_role("button", name="Step 1, rated Great").tap()
    tap(page, "Okay")
    expect(current(page)).to_contain_text("Step 2")
    tap(page, "Bad")
    page.get_by_role("button", name="Almost there").tap()
    page.get_by_role("region", name="Submit").get_by_role("button", name="Submit").tap()
    expect(progress(page, 0)).to_be_visible()
    is_sent(page)

    page.get_by_role("group", name="Tools").get_by_role("button", name="History").tap()
    page.get_by_role("dialog").get_by_role("button", name="Revise").tap()
    expect(page.get_by_text("You are revising")).to_be_visible()
    fits(page)
    page.get_by_role("button", name="Back to the task in hand").tap()
    expect(progress(page, 0)).to_be_visible()
    (labelling,) = desk.submitted()
    assert [(row["rating"], row["note"]) for row in labelling["completions"]] == [(0, ""), (-1, "A note")]
    assert labelling["solution_progress"] == "almost"


KINDS = [{"key": key, "name": f"A kind of error with a long name, {key}", "parent": "", "help": ""} for key in "abcdef"]


@pytest.mark.desk(turns=60, rates_all_steps=True, error_kinds=KINDS)
def test_questions_about_a_mistake_come_into_view(desk: Desk, window: Window) -> None:
    page = window(desk, **PHONE)
    page.goto(desk.address)
    card = current(page)
    expect(card.get_by_role("img", name="The page")).not_to_have_js_property("naturalWidth", 0)
    tap(page, "Bad")
    last = page.get_by_role("button", name=KINDS[-1]["name"])
    expect(last).to_be_in_viewport()
    expect(page.get_by_role("heading", name="What kind of error?")).to_be_in_viewport()
    assert bottom(last) < top(page.get_by_role("button", name="Great", exact=True).first), "above the buttons"
    last.tap()
    expect(current(page)).to_contain_text("Step 2")


@pytest.mark.desk(asks_error_words=True)
def test_words_that_handles_select_can_be_marked(desk: Desk, window: Window) -> None:
    page = window(desk, **PHONE)
    page.goto(desk.address)
    expect(current(page)).to_contain_text("Step 1")
    tap(page, "Bad")
    page.get_by_role("button", name="Explain what is wrong with step 1").tap()
    words = page.get_by_label("Which words are wrong?")
    words.tap()
    # The handles of a selection do the same, and send no other event.
    words.evaluate("box => box.setSelectionRange(0, 5)")
    tap(page, "Mark the selected words")
    expect(page.get_by_role("button", name="Mark none")).to_be_visible()
    tap(page, "Close")
    expect(current(page)).to_contain_text("“First”")


@pytest.mark.desk(is_wide=True)
def test_a_long_answer_has_the_width_of_the_page(desk: Desk, window: Window) -> None:
    page = window(desk, **PHONE)
    page.goto(desk.address)
    expect(current(page)).to_contain_text("Step 1")
    guess = page.get_by_text("Current guess").locator("..")
    widths = [guess.locator(place).evaluate("element => element.clientWidth") for place in (":scope", "> div")]
    assert widths[1] > widths[0] - 10
    fits(page)


@pytest.mark.desk(tasks=2, instructions="Take your time. $1 + 1 = 2$")
def test_tools_and_ways_out_by_touch(desk: Desk, window: Window) -> None:
    page = window(desk, **PHONE)
    page.goto(desk.address)
    expect(current(page)).to_contain_text("Step 1")
    for tool, title in (("Guidelines", "Guidelines"), ("Calculator", "Calculator"), ("Keys", "Keys and guide")):
        page.get_by_role("group", name="Tools").get_by_role("button", name=tool).tap()
        dialog = page.get_by_role("dialog", name=title)
        expect(dialog).to_be_visible()
        fits(page)
        dialog.get_by_role("button", name="Close").tap()
        expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Tools", exact=True).tap()
    thumbs = page.get_by_role("group", name="Tools").filter(visible=True).last
    assert (thumbs.bounding_box() or {"y": 0})["y"] > 422, "in the lower half, under the thumb"
    fits(page)
    page.get_by_role("button", name="Tools", exact=True).tap()
    page.get_by_role("button", name="Answer looks wrong").tap()
    page.get_by_role("dialog").get_by_label("What should it be, and why?").fill("3")
    page.get_by_role("dialog").get_by_role("button", name="Report it").tap()
    expect(page.get_by_role("button", name="Reported")).to_be_visible()
    page.get_by_role("button", name="Give up").tap()
    page.get_by_role("dialog").get_by_role("button", name="The text is broken").tap()
    fits(page)
    page.get_by_role("button", name="Send and continue").tap()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name="Answer looks wrong")).to_be_visible()
    page.get_by_role("button", name="Give the task back").tap()
    expect(page.get_by_role("link", name="Start labelling")).to_be_visible()
    (labelling,) = desk.submitted()
    assert (labelling["finish_reason"], labelling["finish_note"]) == ("give_up", "The text is broken")


@pytest.mark.desk(tasks=2, instructions="Take your time. " * 200)
def test_rating_goes_on_below_the_guidelines(desk: Desk, window: Window) -> None:
    page = window(desk, **PHONE)
    page.goto(desk.address)
    expect(current(page)).to_contain_text("Step 1")
    page.get_by_role("group", name="Tools").get_by_role("button", name="Guidelines").tap()
    guidelines = page.get_by_role("dialog", name="Guidelines")
    expect(guidelines).to_contain_text("Take your time.")
    for step in (1, 2, 3):
        expect(current(page)).to_contain_text(f"Step {step}")
        assert bottom(guidelines) <= top(current(page))
        tap(page, "Great")
    expect(guidelines).to_be_visible()
    fits(page)


@pytest.mark.desk(instructions="Take your time. " * 200)
def test_the_guidelines_do_not_cover_the_ratings(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    page.keyboard.press("i")
    guidelines = page.get_by_role("dialog", name="Guidelines")
    expect(guidelines).to_contain_text("Take your time.")
    for width in (1440, 1280, 1024, 800, 390):
        page.set_viewport_size({"width": width, "height": 800})
        for word in ("Great", "Unsure"):
            button = page.get_by_role("button", name=word, exact=True).filter(visible=True).last
            button.click(trial=True)  # nothing lies over it
            height = button.get_by_text(word).evaluate("word => word.offsetHeight")
            assert height < 25, f"{word} on one line at {width} px"


@pytest.mark.desk(kind="alternatives")
def test_alternatives_by_touch(desk: Desk, window: Window) -> None:
    page = window(desk, **PHONE)
    page.goto(desk.address)
    expect(current(page)).to_contain_text("Completion A")
    fits(page)
    tap_rating(page, "Completion A", "Great")
    tap_rating(page, "Completion B", "Great")
    page.get_by_role("button", name="Go on with this one").tap()
    expect(page.get_by_text("Completion B goes on.", exact=True)).to_be_visible()
    page.get_by_role("button", name="Go on to step 2").tap()
    expect(page.get_by_role("button", name="Change step 1")).to_be_visible()
    cards = page.get_by_role("list", name="Completions of step 2").get_by_role("listitem")
    expect(current(page)).to_be_visible()
    for letter, _ in zip("AB", cards.all(), strict=False):
        tap_rating(page, f"Completion {letter}", "Bad")
    page.get_by_role("region", name="Write your own").get_by_role("button").tap()
    page.get_by_label("Text, with LaTeX between dollar signs").fill(r"It is $\boxed{36}$.")
    fits(page)
    page.get_by_role("button", name="Use this step").tap()
    page.get_by_role("region", name="Submit").get_by_role("button", name="Submit").tap()
    is_done(page)
    fits(page)
    assert [row["finish_reason"] for row in desk.submitted()] == ["solution"]


@pytest.mark.desk(
    asks_alternatives=True, asks_critiques=True, asks_progress=True, attempt=2, instructions="Read $a + b$."
)
def test_from_right_to_left(desk: Desk, window: Window) -> None:
    page = window(desk, viewport={"width": 390, "height": 844})
    page.goto(desk.address)
    expect(current(page)).to_contain_text("Step 1")
    page.evaluate("document.documentElement.dir = 'rtl'")
    page.keyboard.press("1")
    page.keyboard.press("3")
    expect(current(page)).to_contain_text("Alternative A")
    page.keyboard.press("i")
    expect(page.get_by_role("dialog", name="Guidelines")).to_be_visible()
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        fits(page)
        formulas = page.locator(".katex")
        assert formulas.count() > 2
        assert formulas.evaluate_all("all => all.every(each => getComputedStyle(each).direction === 'ltr')")
    panel, work = (
        page.get_by_role("complementary").bounding_box(),
        page.get_by_role("region", name="Solution", exact=True).bounding_box(),
    )
    assert panel
    assert work
    assert panel["x"] > work["x"], "the problem stands at the right"


@pytest.mark.desk(is_wide=True, screening=1)
def test_screening_feedback_fits_and_opens_at_the_first_difference(desk: Desk, window: Window) -> None:
    page = window(desk, viewport={"width": 390, "height": 844})
    page.goto(desk.address)
    rate(page, "12")
    page.keyboard.press("Enter")
    difference = page.get_by_role("listitem").filter(has_text="Experts:").nth(1)
    expect(difference).to_be_focused()
    expect(difference.get_by_text("Experts:")).to_be_in_viewport()
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 844})
        fits(page)
