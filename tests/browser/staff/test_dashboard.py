"""The dashboard of a phase: charts, each with its numbers as a table and as a file."""

import csv
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.product.words import ANNOTATORS
from tests.product.world import Row, World, submission

pytestmark = pytest.mark.browser
FIGURES = [
    "Task progress",
    "Labellings a day",
    "Ratings by round",
    "Where the first error is",
    "Time per step",
    "Quality against pace",
    "Agreement of pairs",
]


@pytest.fixture
def watched(world: World) -> Row:
    """A phase in which both label three tasks; in two, ben finds an error in the first step."""
    phase = world.new_phase("Watched")
    chosen = world.finish("selections", phase=phase["id"], policy="uniform", size=3)
    world.finish("publications", selection=chosen["id"], overlap=2)
    for name in ANNOTATORS:
        client, path = world.people[name], f"phases/{phase['id']}/claim/"
        claim, done = client.call("POST", path), 0
        while task := claim["assignment"]:
            ratings = [-1] if name == "ben" and done else [1 for _ in task["solution"]["steps"]]
            claim = client.call("POST", f"assignments/{task['id']}/submit/", submission(ratings))["next"]
            done += 1
    return phase


def figure(page: Page, title: str) -> Locator:
    return page.get_by_role("figure", name=title, exact=True)


def numbers(page: Page, title: str) -> list[list[str]]:
    """Returns the rows of the figure's table."""
    figure(page, title).get_by_role("button", name=f"Table: {title}").click()
    rows = figure(page, title).get_by_role("row")
    expect(rows).not_to_have_count(0)
    return [rows.nth(at).get_by_role("cell").all_inner_texts() for at in range(1, rows.count())]


def test_a_phase_is_looked_at_from_its_own_page(
    world: World, watched: Row, page: Page, sign_in: Callable[[str], None]
) -> None:
    sign_in("alma")
    page.get_by_role("link", name="Watched").click()
    page.get_by_role("navigation", name="Parts of the phase").get_by_role("link", name="Dashboard").click()
    for title in FIGURES:
        expect(figure(page, title)).to_be_visible()
    for title in set(FIGURES) - {"Quality against pace", "Time per step"}:
        expect(figure(page, title).locator(".recharts-bar-rectangle path").first).to_be_visible()
    for title in ("Quality against pace", "Time per step"):
        expect(figure(page, title).get_by_text("Nothing here yet.")).to_be_visible()

    assert numbers(page, "Task progress")[:4] == [
        ["Published", "3"],
        ["Started", "3"],
        ["Labelled", "3"],
        ["Complete", "3"],
    ]
    given = [row["rating_counts"] for row in world.admin.every(f"labellings/?phase={watched['id']}")]
    great = sum(counts["positive"] for counts in given)
    assert numbers(page, "Ratings by round") == [["0", str(great), "0", "2", "0"]]
    assert numbers(page, "Where the first error is") == [["1", "2"]]
    assert [pair[1] for pair in numbers(page, "Agreement of pairs")] == ["33 %"]
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV: Labellings a day").click()
    (day,) = csv.DictReader(download.value.path().read_text().splitlines())
    assert (day["Labellings"], day["Annotators"]) == ("6", "2")


def test_a_phase_without_labels_says_so(world: World, page: Page, sign_in: Callable[[str], None]) -> None:
    phase = world.new_phase("Not begun")
    sign_in("mika")
    page.goto(f"/phases/{phase['id']}/dashboard")
    expect(page.get_by_text("Nothing here yet.")).to_have_count(len(FIGURES))
