"""A phase goes round the loop by itself, with people who label, while ML staff watch."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.product import world as worlds
from tests.product.world import World

pytestmark = pytest.mark.browser
WHILE_IT_WORKS = 600_000  # a cold worker loads torch first
# The metrics of models so small fluctuate, which must not stop the autopilot.
ANY_MODEL_IS_PROMOTED = {
    "PROMOTION_MAY_FALL": '{"step_auc": 1, "f1": 1}',
    "PROMOTION_NEEDS": '{"problems": 1, "negatives": 1}',
}
HOLD_HALF_OUT = """
from labeling.models import Problem
half = [problem.pk for problem in Problem.objects.order_by("text_hash")[::2]]
Problem.objects.filter(pk__in=half).update(split="test")
"""


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with worlds.running(tmp_path / "product", ANY_MODEL_IS_PROMOTED) as world:
        yield world


def acts(page: Page, after: str) -> Locator:
    named = page.get_by_role("heading", name=after, exact=True)
    return page.locator("section").filter(has=named).last.get_by_role("listitem")


def test_autopilot_takes_a_phase_round_twice(world: World, page: Page, sign_in: Callable[[str], None]) -> None:
    world.product.shell(HOLD_HALF_OUT)
    phase = world.new_phase("By itself")
    sign_in("mika")
    page.goto(f"/phases/{phase['id']}/autopilot")
    page.get_by_label("Rounds at most").fill("2")
    page.get_by_role("textbox", name="Solutions", exact=True).fill("30")
    page.get_by_label("Base model").fill(world.base)
    page.get_by_label("Epochs").fill("2")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.get_by_role("button", name="Switch on").click()
    for number in (0, 1):
        people = acts(page, f"Round {number}").filter(has_text="People label")
        expect(people.get_by_text("Running")).to_be_visible(timeout=WHILE_IT_WORKS)
        assert len(world.label_all(phase)) == 30
    expect(page.get_by_text("Stopped: Its budget is used up: 2 of 2 rounds.")).to_be_visible(timeout=WHILE_IT_WORKS)

    expect(acts(page, "Before the first round").get_by_role("link")).to_have_text(["Publish", "Select"])
    first = ["Publish", "Select", "Score the pool", "Evaluate", "Promote", "Train", "People label"]
    expect(acts(page, "Round 0").get_by_role("link")).to_have_text(first)
    second = ["Score the pool", "Promote", "Evaluate", "Train", "People label"]
    expect(acts(page, "Round 1").get_by_role("link")).to_have_text(second)
    expect(acts(page, "Round 1").filter(has_text="Train")).to_contain_text("60 labellings")
    assert [(row["status"], row["labellings_done"]) for row in world.rounds(phase)] == [("closed", 30)] * 2
    models = list(world.ml_staff.every("reward-models/"))
    assert [(row["name"], bool(row["current_in"])) for row in models] == [
        ("By itself, round 1", True),
        ("By itself, round 0", False),
    ]
