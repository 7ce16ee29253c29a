"""An annotator's day with alternatives, by keyboard: stored trees, a generator, a step of one's own."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Window
from tests.browser.desk import Desk, at_work, current, go_to, is_done, is_saved, press, start
from tests.generator import Generator

pytestmark = pytest.mark.browser


def completions(page: Page, step: int) -> Locator:
    return page.get_by_role("list", name=f"Completions of step {step}").get_by_role("listitem")


def write(page: Page, text: str) -> Locator:
    """Opens the editor, types, and returns the editor."""
    page.keyboard.press("w")
    editor = page.get_by_role("form", name="Your own step")
    expect(editor.get_by_role("textbox")).to_be_focused()
    page.keyboard.type(text)
    return editor


def use(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Use this step")).to_be_focused()
    page.keyboard.press("Enter")


@pytest.mark.desk(kind="alternatives", tasks=2)
def test_from_sign_in_to_the_last_task(desk: Desk, page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in(desk.name)
    start(page)
    expect(current(page)).to_contain_text("Completion A")
    expect(completions(page, 1)).to_have_count(2)
    press(page, "1", then="Completion B")
    page.keyboard.press("1")
    expect(page.get_by_text("Completion A goes on.", exact=True)).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("c")
    expect(page.get_by_text("Completion B goes on.", exact=True)).to_be_visible()
    chosen = current(page).inner_text()
    press(page, "Enter", then="Completion A")
    expect(page.get_by_role("heading", name="Step 2")).to_be_visible()
    offered = 1 if "To begin" in chosen else 2
    expect(completions(page, 2)).to_have_count(offered)

    editor = write(page, r"So he has $\frac{62}{2}")
    expect(editor.locator(".katex")).to_have_count(0)
    page.keyboard.type(r"$ apples in 1 basket, and $\boxed{36}$ in 2.")
    expect(editor.locator(".katex")).to_have_count(2)
    expect(editor.get_by_text("This states a final answer.")).to_be_visible()
    use(page)
    expect(completions(page, 2)).to_have_count(offered + 1)
    for _ in range(offered):
        page.keyboard.press("3")
    expect(page.get_by_text("The final answer is reached.")).to_be_visible()
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()
    expect(current(page)).to_contain_text("Completion A")
    press(page, "2", then="Completion B")
    page.keyboard.press("3")
    expect(page.get_by_text("No completion is Great.")).to_be_visible()
    page.keyboard.press("x")
    expect(page.get_by_role("dialog").get_by_role("button", name="It takes too long to check")).to_be_focused()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    is_done(page)

    first, second = desk.submitted()
    steps = [[row for row in first["completions"] if row["step"] == step] for step in (0, 1)]
    assert [(row["rating"], row["is_chosen"]) for row in steps[0]] == [(1, False), (1, True)]
    assert steps[0][1]["text"] in chosen
    own = steps[1][-1]
    assert own["text"].endswith(r"and $\boxed{36}$ in 2.")
    assert (own["is_human"], own["is_chosen"], own["rating"]) == (True, True, 1)
    assert {row["rating"] for row in steps[1][:-1]} == {-1}
    assert (first["finish_reason"], second["finish_reason"]) == ("solution", "give_up")
    assert [(row["rating"], row["is_chosen"]) for row in second["completions"]] == [(0, False), (-1, False)]


def rate_one_great(page: Page, step: int, great: str) -> None:
    cards = completions(page, step)
    texts = cards.all_inner_texts()
    for letter, text in zip("ABCD", texts, strict=False):
        expect(current(page)).to_contain_text(f"Completion {letter}")
        page.keyboard.press("1" if great in text else "2")
    expect(page.get_by_role("button", name=f"Go on to step {step + 1}")).to_be_visible()


def slow(generator: Generator) -> Callable[[Any], None]:
    def answer(handler: Any) -> None:
        generator.hurry.wait(20)
        handler.send(["We count in our heads.", "We count by 1."])

    return answer


def broken(handler: Any) -> None:
    handler.reply(503, "out of memory")


@pytest.mark.desk(kind="alternatives", tasks=1, alternatives_per_step=4)
def test_with_a_generator_that_is_slow_and_then_down(desk: Desk, window: Window, generator: Generator) -> None:
    generator.answers = [slow(generator), broken]
    desk.change(generator_url=generator.url, generator_model="small")
    page = window(desk)
    page.goto(desk.address)
    expect(page.get_by_text("This takes a while.")).to_be_visible()
    write(page, "1 moment")
    generator.hurry.set()
    expect(completions(page, 1)).to_have_count(4)
    page.get_by_role("button", name="Cancel").press("Enter")
    rate_one_great(page, step=1, great="by 1")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No more completions came.")).to_be_visible()
    expect(page.get_by_text("answered with an error (503)")).to_be_visible()
    is_saved(page)
    page.reload()
    expect(page.get_by_role("button", name="Go on to step 2")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("No more completions came.")).to_be_visible()
    # Only that one: the step after it is asked for as soon as its completions are there.
    generator.answers = [["Back again.", "So the answer is 36."], broken]
    asked = len(generator.asked)
    again = page.get_by_role("button", name="Ask again")
    again.press("Enter")
    expect(again).to_be_hidden()
    expect(completions(page, 2).filter(has_text="Back again.")).to_have_count(1)
    expect(completions(page, 2).filter(has_text="So the answer is 36.")).to_contain_text("Final answer")
    assert len(generator.asked) > asked
    rate_one_great(page, step=2, great="Back again.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No more completions came.")).to_be_visible()
    write(page, "# Answer\n\n36")
    use(page)
    expect(page.get_by_text("The final answer is reached.")).to_be_visible()
    page.keyboard.press("Enter")
    is_done(page)

    (labelling,) = desk.submitted()
    chosen = [row["text"] for row in labelling["completions"] if row["is_chosen"]]
    assert chosen == ["We count by 1.", "Back again.", "# Answer\n\n36"]
    texts = {row["text"] for row in labelling["completions"] if row["step"] == 0}
    assert {"We count in our heads.", "We count by 1."} < texts
    assert labelling["finish_reason"] == "solution"


@pytest.mark.desk(kind="alternatives", tasks=1)
def test_undo_a_choice_and_a_reload(desk: Desk, window: Window) -> None:
    page = window(desk)
    at_work(page, desk)
    press(page, "1", then="Completion B")
    page.keyboard.press("3")
    expect(page.get_by_text("Completion A goes on.", exact=True)).to_be_visible()
    page.keyboard.press("z")
    expect(page.get_by_text("Completion A goes on.", exact=True)).to_be_hidden()
    expect(current(page)).to_contain_text("Completion B")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Change step 1")).to_be_visible()
    expect(completions(page, 2)).not_to_have_count(0)
    write(page, "Half a thought, 1 2 3")
    is_saved(page)

    page.reload()
    expect(page.get_by_role("form", name="Your own step 2").get_by_role("textbox")).to_have_value(
        "Half a thought, 1 2 3"
    )
    page.get_by_role("button", name="Change step 1").press("Enter")
    expect(page.get_by_role("heading", name="Step 1")).to_be_visible()
    assert desk.submitted() == []
    ratings = [row["rating"] for row in (desk.draft() or {})["ratings"] if row["step"] == 0]
    assert ratings == [1, 0]


KINDS = [{"key": "c", "name": "Calculation"}, {"key": "1", "name": "Arithmetic", "parent": "c"}]


@pytest.mark.desk(kind="alternatives", tasks=1)
def test_what_is_wrong_with_a_completion(desk: Desk, window: Window) -> None:
    desk.change(error_kinds=KINDS, asks_error_words=True)
    page = window(desk)
    at_work(page, desk)
    page.keyboard.press("3")
    asked = page.get_by_role("region", name="Error of completion A")
    expect(asked).to_be_visible()
    expect(current(page)).to_contain_text("Completion A")
    expect(page.get_by_text("Next: what kind of error has it?")).to_be_visible()
    page.keyboard.press("1")
    expect(asked).to_be_hidden()
    press(page, "2", then="Completion B")
    page.keyboard.press("ArrowUp")
    press(page, "m", then="Which words are wrong?")
    asked.get_by_role("textbox").focus()
    page.keyboard.press("Control+Home")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")
    asked.get_by_role("button", name="Mark the selected words").press("Enter")
    go_to(page, asked.get_by_role("button", name="Close"))  # by Tab: the completion takes the focus after each change
    page.keyboard.press("Enter")
    expect(completions(page, 1).first).to_contain_text("Calculation: Arithmetic · “")
    is_saved(page)
    page.reload()
    expect(completions(page, 1).first).to_contain_text("Calculation: Arithmetic · “")
    write(page, "So the answer is 36.")
    use(page)
    expect(page.get_by_text("The final answer is reached.")).to_be_visible()
    page.keyboard.press("Enter")
    is_done(page)

    (labelling,) = desk.submitted()
    bad, other, _ = labelling["completions"]
    assert (bad["rating"], bad["error_kind"], bad["error_start"], bad["error_end"]) == (-1, "1", 0, 2)
    assert (other["rating"], other["error_kind"]) == (0, "")
