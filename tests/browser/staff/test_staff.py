"""The pages of ML staff and admins."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.product.world import Row, World, until

pytestmark = pytest.mark.browser
WHILE_IT_WORKS = 600_000  # a cold worker loads torch first


@contextmanager
def one_more(world: World, kind: str) -> Iterator[None]:
    """Waits for the job that the block starts. Fails unless it succeeds."""
    before = {row["id"] for row in world.ml_staff.every(f"{kind}/")}
    yield

    def look() -> bool:
        runs = [row for row in world.ml_staff.every(f"{kind}/") if row["id"] not in before]
        assert {row["status"] for row in runs} <= {"queued", "running", "done"}, runs
        return "done" in {row["status"] for row in runs}

    until(look, f"a new one of {kind}")


def strip(page: Page, phase: Row) -> Locator:
    """Returns the phase's loop on the page of all phases."""
    page.get_by_role("link", name="Campaign", exact=True).click()
    return page.get_by_role("article", name=phase["name"], exact=True)


def test_ml_staff_take_the_loop_round(world: World, page: Page, sign_in: Callable[[str], None]) -> None:
    """The strip has one primary button: the next step."""
    labels = world.labelled_phase("Round and round", ["ben"], size=20)
    sign_in("mika")
    expect(page.get_by_role("heading", name="Phases", exact=True)).to_be_visible()
    strip(page, labels).get_by_role("link", name="Train a model").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("from the browser")
    page.get_by_label("Base model").fill(world.base)
    with one_more(world, "training-runs"):
        page.get_by_role("button", name="Train a model").click()
    model = next(row for row in world.ml_staff.every("reward-models/") if row["name"] == "from the browser")
    world.evaluated(model["id"])
    reason = {"reason": "A test of the loop.", "is_override": True}
    world.ml_staff.call("POST", f"reward-models/{model['id']}/promote/", reason)

    with one_more(world, "scoring-runs"):
        strip(page, labels).get_by_role("button", name="Score the solutions").click()
    strip(page, labels).get_by_role("link", name="Select the next round").click()
    page.get_by_role("textbox", name="Solutions", exact=True).fill("5")
    page.get_by_role("button", name="Select", exact=True).click()
    expect(page.get_by_text("Rank 5")).to_be_visible(timeout=WHILE_IT_WORKS)

    strip(page, labels).get_by_role("link", name="Review the picks and publish").click()
    page.get_by_role("button", name="Publish round").click()
    expect(page.get_by_text("Published as round 1")).to_be_visible(timeout=WHILE_IT_WORKS)
    (opened,) = [row for row in world.rounds(labels) if row["status"] == "open"]
    assert (opened["number"], opened["task_count"]) == (1, 5)
    expect(strip(page, labels).get_by_text("Round 1 is being labelled.")).to_be_visible()

    page.goto(f"/phases/{labels['id']}")
    history = page.get_by_role("region", name="Results by round").first
    expect(history.get_by_role("link", name="from the browser")).to_be_visible()
    expect(history.get_by_role("figure", name="Best of N against majority vote")).to_be_visible()

    page.goto("/second-looks")
    expect(page.get_by_role("heading", name="Label noise")).to_be_visible()
    expect(page.get_by_role("cell", name="Round and round, round 0")).to_be_visible()
    expect(page.get_by_text("How is the last step?")).to_be_hidden()  # experts alone look again


def test_an_admin_reads_labellings_and_closes_a_round(
    world: World, labels: Row, page: Page, sign_in: Callable[[str], None]
) -> None:
    phase = world.new_phase("To be closed", ["ben"])
    world.publish(phase, policy="uniform", size=2)
    sign_in("alma")
    row = page.get_by_role("article").filter(has_text="To be closed")
    expect(row.get_by_text("Round 0 · 0 of 2")).to_be_visible()
    row.get_by_role("link", name="To be closed").click()
    opened = page.get_by_role("article", name="Round 0")
    opened.get_by_role("button", name="Close early").click()
    opened.get_by_role("button", name="Close early").click()
    expect(opened.get_by_text("Closed", exact=True)).to_be_visible()

    page.get_by_role("link", name="Labels").click()
    page.get_by_label("Annotator").fill("ben")
    expect(page.get_by_role("row").filter(has_not_text="ben")).to_have_count(1)  # the columns' heads
    page.get_by_role("link", name="Open the labelling of").first.click()
    page.reload()  # the address says what is open, in which list
    expect(page.get_by_role("dialog").get_by_text("Step 1", exact=True)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_label("Annotator")).to_have_value("ben")

    page.get_by_role("link", name="Pool", exact=True).click()
    page.get_by_role("link", name="Sources", exact=True).click()
    expect(page.get_by_role("main").get_by_text("arithmetic").first).to_be_visible()


def test_without_a_worker_staff_are_told(world: World, page: Page, sign_in: Callable[[str], None]) -> None:
    banner = page.get_by_text("No worker is running")
    world.product.stop()
    world.product.start("--no-worker")
    until(lambda: not world.ml_staff.call("GET", "workers/")["is_alive"], "no worker is alive")
    sign_in("mika")
    expect(banner).to_be_visible()
    page.goto("about:blank")

    world.product.stop()
    world.product.start()
    until(lambda: world.ml_staff.call("GET", "workers/")["is_alive"], "a worker is alive")
    page.goto("/phases")
    expect(page.get_by_role("heading", name="Phases", exact=True)).to_be_visible()
    expect(banner).to_be_hidden()


def test_fields_of_a_new_phase_stand_in_a_row(page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("alma")
    page.goto("/phases")
    fields = [page.get_by_label(re.compile(f"^{name}")) for name in ("Name", "Profile", "What is labelled")]
    for field in fields:
        expect(field).to_be_visible()
    shown = [field.element_handle() for field in fields]  # all are measured at one moment: the page is being filled
    tops = page.evaluate("fields => fields.map(field => field.getBoundingClientRect().top)", shown)
    assert max(tops) - min(tops) < 1, tops
