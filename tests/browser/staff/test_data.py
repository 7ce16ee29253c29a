"""Imports and exports of files through the browser, by an admin."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.staff import imports
from tests.product.world import Row, World

pytestmark = pytest.mark.browser
# An empty inline block's bottom is its line's baseline.
BASELINES_APART = """text => {
    const baseline = (place) => {
        const mark = place.appendChild(document.createElement("span"))
        mark.style.display = "inline-block"
        return mark.getBoundingClientRect().bottom
    }
    return Math.abs(baseline(text) - baseline(text.querySelector(".katex-html .base")))
}"""


def solution(number: int) -> bytes:
    steps = [f"Twice {number}.", f"# Answer\n\n{2 * number}"]
    problem = {"problem": f"What is twice {number}, from the browser?", "reference_answer": str(2 * number)}
    return json.dumps(problem | {"generator": "by hand", "steps": steps}).encode()


def test_a_file_is_looked_at_confirmed_and_its_bad_lines_downloaded(
    world: World, page: Page, sign_in: Callable[[str], None], tmp_path: Path
) -> None:
    lines = [solution(number) for number in range(3_000)]
    lines[1] = lines[1][:-1] + b', "observations": "The tool said 2."}'
    lines[7], lines[2500] = b"{", b'{"problem": "Without steps?", "generator": "g"}'
    (tmp_path / "twice.jsonl").write_bytes(b"\n".join(lines))
    sign_in("alma")
    imports.upload(page, tmp_path / "twice.jsonl")
    # At once, from the first lines: how they will look, and what is lost.
    expect(page.get_by_label("Format")).to_have_value("solutions")
    expect(page.get_by_text("Twice 0.", exact=True)).to_be_visible()
    page.get_by_text("“observations” is not imported").click()
    expect(page.get_by_text("The tool said 2.")).to_be_visible()
    page.get_by_label("Source").fill("twice")
    page.keyboard.press("Enter")
    button = page.get_by_role("button", name="Import 2,998 solutions into “twice”")
    expect(button).to_be_enabled(timeout=imports.WHILE_IT_WORKS)
    assert world.admin.call("GET", "pool/solutions/?source=twice")["results"] == []
    imports.confirm(page)
    page.get_by_text("Bad lines", exact=True).last.click()
    expect(page.get_by_text("there are neither")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    found = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    assert [line["line"] for line in found] == ["8", "2501"]
    assert "not JSON" in found[0]["reason"]
    page.goto("/import")
    row = page.get_by_role("article", name="twice.jsonl")
    expect(row.get_by_text("2,998 problems · 2,998 solutions")).to_be_visible()
    sources = {source["source"]: source for source in world.admin.call("GET", "pool/")["sources"]}
    assert sources["twice"]["right"] == 2_998
    made = next(world.admin.every("imports/"))
    world.admin.call("POST", f"imports/{made['id']}/undo/")  # other tests score the pool
    assert world.ended("imports", made)["undone_at"]


def choose(page: Page, field: str, option: str) -> None:
    page.get_by_role("combobox", name=field, exact=True).click()
    page.get_by_role("option", name=option, exact=True).click()
    page.keyboard.press("Escape")


def test_labels_go_out_as_they_were_given(
    world: World, labels: Row, page: Page, sign_in: Callable[[str], None]
) -> None:
    sign_in("mika")
    page.goto("/export")
    choose(page, "Phases", labels["name"])
    choose(page, "Rounds", f"{labels['name']}, round 0")
    panel = page.locator("a[href^='/api/exports/']")  # a bad import of another test has a download, too
    given = [
        world.admin.call("GET", f"labellings/{row['id']}/")
        for row in world.admin.every(f"labellings/?phase={labels['id']}")
    ]
    kept = [row for row in given if row["finish_reason"] in ("found_error", "solution")]
    page.get_by_label("Solutions with gold").check()
    expect(page.locator("dd", has_text=str(len(kept))).first).to_be_visible()
    with page.expect_download() as download:
        panel.click()
    with zipfile.ZipFile(download.value.path()) as archive:
        records = [json.loads(line) for line in archive.read("labels.jsonl").splitlines()]
        manifest = json.loads(archive.read("manifest.json"))
    assert manifest["counts"]["records"] == len(records) == len(kept)
    ratings = sorted([item["completions"][0]["rating"] for item in record["label"]["steps"]] for record in records)
    assert ratings == sorted([item["rating"] for item in row["completions"]] for row in kept)


def test_a_file_that_cannot_be_read_says_why_and_another_format_is_tried(
    world: World, page: Page, sign_in: Callable[[str], None]
) -> None:
    sign_in("alma")
    imports.upload(page, {"name": "labels.jsonl", "mimeType": "text/plain", "buffer": solution(96_000)})
    page.get_by_label("Format").select_option("prm800k")
    expect(page.get_by_text("Nothing was imported. Bad lines: 1.")).to_be_visible(timeout=imports.WHILE_IT_WORKS)
    page.get_by_text("Bad lines", exact=True).last.click()
    expect(page.get_by_text("Object missing required field").last).to_be_visible()
    page.get_by_label("Format").select_option("solutions")
    expect(page.get_by_role("button", name="Import 1 solution into")).to_be_enabled(timeout=imports.WHILE_IT_WORKS)
    page.get_by_role("button", name="Discard").click()
    expect(page.get_by_role("article", name="labels.jsonl").get_by_text("Cancelled")).to_be_visible()


def import_file(page: Page, name: str, content: bytes) -> None:
    """Imports a file. Ends at the list of imports."""
    imports.import_file(page, {"name": name, "mimeType": "text/plain", "buffer": content})
    page.goto("/import")


def test_an_import_is_found_in_the_pool_and_undone(world: World, page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("alma")
    import_file(page, "thrice.jsonl", b"\n".join(solution(number) for number in range(90_000, 90_070)))
    row = page.get_by_role("article", name="thrice.jsonl")
    row.get_by_role("link", name="Show in the pool").click()
    rows = page.get_by_role("list", name="The pool").get_by_role("listitem")
    expect(rows).to_have_count(50)
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(70)
    page.get_by_role("searchbox").fill("twice 90033")
    expect(rows).to_have_count(1)
    rows.get_by_role("link").click()
    expect(page.get_by_role("heading", name="Steps")).to_be_visible()
    expect(page.get_by_text("Twice 90033.")).to_be_visible()
    expect(page.get_by_role("link", name="Import “thrice.jsonl”")).to_be_visible()
    page.get_by_role("link", name="All solutions").click()
    expect(page.get_by_role("searchbox")).to_have_value("twice 90033")
    page.goto("/import")
    row.get_by_role("button", name="Undo import").click()
    question = row.get_by_role("group", name="Undo import")
    expect(question.get_by_text("70 problems, 70 solutions")).to_be_visible()
    question.get_by_role("button", name="Undo import").click()
    expect(row.get_by_text("Everything it added was removed.")).to_be_visible(timeout=imports.WHILE_IT_WORKS)
    assert world.admin.call("GET", "pool/solutions/?search=twice%2090033")["results"] == []


def test_a_display_formula_stands_in_its_row_s_line(world: World, page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("alma")
    line = {"problem": r"Solve in one line: \[7x = 56\]", "generator": "by hand", "steps": ["$x = 8$."]}
    import_file(page, "display.jsonl", json.dumps(line).encode())
    row = page.get_by_role("article", name="display.jsonl")
    row.get_by_role("link", name="Show in the pool").click()
    text = page.get_by_role("list", name="The pool").get_by_text("Solve in one line")
    expect(text.locator(".katex-display")).to_be_visible()
    assert text.evaluate(BASELINES_APART) < 1


def test_an_import_in_use_says_why_it_cannot_be_undone(
    world: World, page: Page, sign_in: Callable[[str], None]
) -> None:
    sign_in("alma")
    import_file(page, "used.jsonl", solution(95_000))
    row = page.get_by_role("article", name="used.jsonl")
    (found,) = world.admin.call("GET", "pool/solutions/?search=twice%2095000")["results"]
    world.admin.call("POST", "gold/", {"solution": found["id"], "ratings": [1, 1], "gold_set": "used"})
    row.get_by_role("button", name="Undo import").click()
    expect(row.get_by_text("This import can’t be undone. It is in use: 1 gold label by others")).to_be_visible()
    expect(row.get_by_role("group").get_by_role("button")).to_have_text(["Close"])
