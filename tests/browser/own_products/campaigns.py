"""Two campaigns: one made on the pages, the other, which runs beside it, over the API."""

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.staff.imports import import_file
from tests.product.words import judge, texts
from tests.product.world import Row, World

SCREENED = 2


def sums() -> list[Row]:
    return [
        {"problem": statement, "reference_answer": str(attempts[0].answer), "generator": "words", "steps": text.steps}
        | {"correct": text.is_right, "split": "test" if number % 4 == 0 else "train"}
        for number, (statement, attempts) in enumerate(list(texts())[:20])
        for text in attempts
    ]


def beads() -> list[Row]:
    """Returns the other campaign's data, easily recognised if it leaks into the first."""
    return [
        {"problem": f"Bea threads {number} beads and {number} more. How many?", "reference_answer": str(2 * number)}
        | {"generator": "threads", "steps": [f"She threads ${number} + {number} = {2 * number + slip}$ beads."]}
        | {"correct": slip == 0}
        for number in range(10, 30)
        for slip in (0, 1)
    ]


def import_rows(page: Page, folder: Path, source: str, rows: list[Row]) -> None:
    path = folder / f"{source}.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    import_file(page, path, source=source)


def open_part(page: Page, phase: Row, name: str) -> None:
    page.goto(f"/phases/{phase['id']}")
    page.get_by_role("navigation", name="Parts of the phase").get_by_role("link", name=name, exact=True).click()


def make(page: Page, world: World, name: str, *, source: str) -> Row:
    """Makes a phase of overlap 2 that draws from the source."""
    page.goto("/phases")
    page.get_by_role("textbox", name="Name", exact=True).fill(name)
    page.get_by_label("Only these sources").check()
    page.get_by_role("combobox", name="Sources").click()
    page.get_by_role("option", name=source).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Create phase").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.get_by_label("Labellings per task").fill("2")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_hidden()
    made: Row = next(world.admin.every("phases/"))
    assert (made["name"], made["status"]) == (name, "draft")
    return made


def staff(page: Page, phase: Row) -> None:
    """Adds three people to the phase, one of them as an expert."""
    open_part(page, phase, "People")
    for name in ("ada", "ben", "erin", "mika"):
        page.get_by_role("combobox", name="Who").fill(name)
        page.get_by_role("option", name=name).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add to the phase").click()
    page.get_by_label("Role of erin").select_option(label="Expert")
    expect(page.get_by_label("Role of erin")).to_have_value("expert")
    expect(page.get_by_label("Role of mika")).to_have_value("ml_staff")


def import_gold(page: Page, world: World, folder: Path) -> None:
    wrong = world.admin.call("GET", "solutions/?verdict=wrong&source=sums")["results"][:SCREENED]
    path = folder / "gold.jsonl"
    path.write_text("\n".join(json.dumps({"solution": row["id"], "ratings": judge(row["steps"])}) for row in wrong))
    page.goto("/gold")
    page.get_by_role("button", name="Import a file").click()
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("button", name=f"Import {SCREENED} rows").click()
    expect(page.get_by_role("row").filter(has_text="Tom")).to_have_count(SCREENED)


def open_screening(page: Page, phase: Row) -> None:
    open_part(page, phase, "Rounds")
    expect(page.get_by_text("No rounds yet.")).to_be_visible()  # what stands above has its height: the button stays
    page.get_by_label("Number of solutions").fill(str(SCREENED))
    page.get_by_role("button", name="Open the screening").click()
    expect(page.get_by_role("article", name="Screening")).to_be_visible()


def start(page: Page, phase: Row) -> None:
    page.goto(f"/phases/{phase['id']}")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Running", exact=True).first).to_be_visible()


def beside(world: World) -> Row:
    """Makes the other campaign, of which erin labels a round."""
    phase: Row = world.admin.call(
        "POST", "phases/", {"name": "Beads", "kind": "solutions", "sources": ["beads"], "shared_rate": 0}
    )
    world.admin.call("POST", f"phases/{phase['id']}/members/", {"usernames": ["erin", "mika"]})
    world.publish(phase, policy="uniform", size=8, per_problem=1)
    list(world.label(world.people["erin"], phase))
    return phase
