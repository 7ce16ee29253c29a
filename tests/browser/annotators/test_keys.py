"""Keys: all are listed on `?`, each can be changed, and none interferes with typing."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Window
from tests.browser.desk import Desk, at_work, current, go_to, is_done, is_saved, press, progress

pytestmark = pytest.mark.browser


FREE = ";"  # no letter: a way out of a task may take it


@pytest.mark.desk()
def test_keys_of_ones_own_are_remembered_everywhere(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    page.keyboard.press("?")
    help_ = page.get_by_role("dialog", name="Keys and guide")
    expect(help_).to_contain_text("What the ratings mean")
    row = help_.get_by_role("button", name="Rate it Great")
    row.press("Enter")
    expect(row).to_contain_text("Press a key …")
    with page.expect_response(lambda reply: reply.url.endswith("/preferences/")) as saved:
        page.keyboard.press(FREE)
    assert saved.value.ok
    expect(help_).to_contain_text(f"{FREE} now means “Rate it Great”.")
    page.keyboard.press("Escape")
    expect(help_).to_be_hidden()
    press(page, FREE, then="Step 2")
    is_saved(page)

    other = window(desk)
    at_work(other, desk)
    rating = other.get_by_role("group", name="Rating of step 2")
    expect(rating.get_by_role("button", name="Great")).to_contain_text(FREE)
    other.keyboard.press("1")
    press(other, FREE, then="Step 3")
    expect(progress(other, 2)).to_be_visible()
    is_saved(other)
    assert [row["rating"] for row in (desk.draft() or {})["ratings"]] == [1, 1, None, None]


@pytest.mark.desk(instructions="# Read this\n\nA sum is right when $a + b = c$.")
def test_typing_never_rates(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    typed = "1 2 3 4 gobuznpxrhidy=[]? jk"
    page.keyboard.press("n")
    expect(page.get_by_label("Note on step 1")).to_be_focused()
    page.keyboard.type(typed)
    expect(page.get_by_label("Note on step 1")).to_have_value(typed)
    page.keyboard.press("Escape")
    page.keyboard.press("=")
    line = page.get_by_role("dialog", name="Calculator").get_by_label("Calculation", exact=True)
    expect(line).to_be_focused()
    page.keyboard.type("11 + 20")
    expect(page.get_by_role("dialog", name="Calculator")).to_contain_text("31")
    page.keyboard.press("Escape")
    page.keyboard.press("i")
    expect(page.get_by_role("dialog", name="Guidelines").get_by_role("heading", name="Read this")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    expect(progress(page, 0)).to_be_visible()
    is_saved(page)
    (first, *_) = (desk.draft() or {})["ratings"]
    assert (first["note"], first["rating"]) == (typed, None)
    press(page, "1", then="Step 2")
    expect(current(page)).to_be_focused()


@pytest.mark.desk(asks_error_words=True, asks_root_cause=True)
def test_words_and_cuts_are_marked_by_key(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    press(page, "1", then="Step 2")
    page.keyboard.press("3")
    page.keyboard.press("m")
    words = page.get_by_label("Which words are wrong?")
    words.focus()
    text = words.input_value()
    page.keyboard.press("Control+Home")
    for _ in "With":
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.type("nothing is written")
    expect(words).to_have_value(text)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Mark the selected words")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Which earlier step is to blame?")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(current(page)).to_be_focused()

    page.keyboard.press("v")
    expect(page.get_by_label("The step")).to_be_focused()
    page.keyboard.press("Control+Home")
    for _ in "With ":
        page.keyboard.press("ArrowRight")
    with page.expect_request("**/report/") as report:
        page.get_by_role("button", name="Cut at the cursor").press("Enter")
    assert (report.value.post_data_json or {})["place"] == 5
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("Enter")
    is_done(page)
    (labelling,) = desk.submitted()
    bad = labelling["completions"][1]
    assert (bad["error_start"], bad["error_end"], bad["root_cause"]) == (0, 4, 0)


@pytest.mark.desk(turns=60)
def test_a_trace_is_rated_by_key(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    expect(page.get_by_role("group", name="Problem")).to_contain_text("Make the tests pass.")
    expect(page.get_by_text("You mend programs.")).to_be_hidden()  # folded: the question stands open
    card = current(page)
    expect(card).to_contain_text("Coder")
    expect(card.get_by_role("heading", name="Calls bash")).to_be_visible()
    expect(card.get_by_role("img", name="The page")).not_to_have_js_property("naturalWidth", 0)

    press(page, "1", then="Step 2")
    expect(card).not_to_contain_text("line 100")
    page.keyboard.press("e")
    expect(card).to_contain_text("line 100")
    page.keyboard.press("e")
    expect(card).not_to_contain_text("line 100")
    page.keyboard.press("e")
    more = card.get_by_role("button", name="More: 4,000 of")
    more.press("Enter")
    expect(card.get_by_role("button", name="More: 104,000 of")).to_be_visible()
    expect(card).to_contain_text("line 10000")

    outline = page.get_by_role("navigation", name="Outline of the trace")
    expect(outline.get_by_role("button", name="Step 1, Great")).to_be_visible()
    outline.get_by_role("button", name="Step 60").press("Enter")
    expect(page.get_by_text("I look at file 60.")).to_be_in_viewport()
    go_to(page, outline.get_by_role("button", name="Step 1, Great"))
    page.keyboard.press("Enter")
    expect(card).to_contain_text("Step 1")

    press(page, "j", then="Step 2")
    page.keyboard.press("3")
    expect(page.get_by_text("Error found at step 2")).to_be_visible()
    is_saved(page)
    page.keyboard.press("k")
    expect(card).to_contain_text("Step 1")
    page.keyboard.press(".")
    expect(card).to_contain_text("Step 2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("All done here")).to_be_visible()
    (labelling,) = desk.submitted()
    assert [row["rating"] for row in labelling["completions"]] == [1, -1]


@pytest.mark.desk(turns=240, rates_all_steps=True)
def test_a_rating_redraws_its_own_step_alone(desk: Desk, window: Window) -> None:
    """Style sheets can make each change restyle everything that follows.

    The steps outnumber the elements of all three ratings, which a busy machine may draw in one pass.
    """
    page = window(desk)
    at_work(page, desk)
    press(page, "1", then="Step 2")
    outline = page.get_by_role("navigation", name="Outline of the trace")
    expect(outline.get_by_role("button", name="Step 1, Great")).to_be_visible()  # it is drawn after the steps in sight
    expect(page.get_by_text("I look at file 240.").first).to_be_attached()  # and the other steps little by little

    def rate_three() -> None:
        for step in (3, 4, 5):
            press(page, "1", then=f"Step {step}")
        expect(page.get_by_role("button", name="Step 4, Great")).to_be_visible()

    assert max(styled(page, rate_three)) < len(desk.in_hand()["solution"]["steps"])


def styled(page: Page, act: Callable[[], None]) -> list[int]:
    """Returns how many elements each pass over the styles went through while the act was carried out."""
    events: list[dict[str, Any]] = []
    ended: list[bool] = []
    session = page.context.new_cdp_session(page)
    session.on("Tracing.dataCollected", lambda event: events.extend(event["value"]))
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    recorded = {"includedCategories": ["devtools.timeline"]}
    session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": recorded})
    act()
    session.send("Tracing.end")
    while not ended:
        page.evaluate("() => null")  # lets its events arrive
    return [event["args"]["elementCount"] for event in events if "elementCount" in event.get("args", {})]
