"""Files in and out through the browser, as an admin does it."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.product.world import Row, World

pytestmark = pytest.mark.browser


def solution(number: int) -> bytes:
    steps = [f"Twice {number}.", f"# Answer\n\n{2 * number}"]
    problem = {"problem": f"What is twice {number}, from the browser?", "reference_answer": str(2 * number)}
    return json.dumps(problem | {"generator": "by hand", "steps": steps}).encode()


def test_a_file_comes_in_and_its_bad_lines_can_be_downloaded(
    world: World, page: Page, sign_in: Callable[[str], None], tmp_path: Path
) -> None:
    lines = [solution(number) for number in range(12_000)]
    lines[7], lines[2500] = b"{", b'{"problem": "Without steps?", "generator": "g"}'
    (tmp_path / "twice.jsonl").write_bytes(b"\n".join(lines))
    sign_in("alma")
    page.goto("/data")
    expect(page.get_by_role("button", name="Import")).to_be_disabled()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="File").click()
    chooser.value.set_files(tmp_path / "twice.jsonl")
    page.get_by_label("Source").fill("twice")
    page.get_by_role("button", name="Import").click()
    row = page.get_by_role("article", name="twice.jsonl")
    expect(row.get_by_role("progressbar")).to_be_attached()
    expect(row.get_by_text("Done")).to_be_visible(timeout=60_000)
    expect(row.get_by_text("11,998 problems · 11,998 solutions")).to_be_visible()
    with page.expect_download() as download:
        row.get_by_role("link", name="Bad lines").click()
    found = list(csv.DictReader(io.StringIO(download.value.path().read_text())))
    assert [line["line"] for line in found] == ["8", "2501"]
    assert "not JSON" in found[0]["reason"]
    sources = {source["source"]: source for source in world.admin.call("GET", "pool/")["sources"]}
    assert sources["twice"]["right"] == 11_998


def test_labels_go_out_as_they_were_given(
    world: World, labels: Row, page: Page, sign_in: Callable[[str], None]
) -> None:
    sign_in("mika")
    page.goto("/data")
    page.get_by_label("Labelled", exact=True).check()
    page.get_by_label("Round 0").check()
    panel = page.get_by_role("link", name="Download")
    given = [
        world.admin.call("GET", f"labellings/{row['id']}/")
        for row in world.admin.every(f"labellings/?phase={labels['id']}")
    ]
    kept = [row for row in given if row["finish_reason"] in ("found_error", "solution")]
    page.get_by_label("Solutions with gold").uncheck()
    expect(page.locator("dd", has_text=str(len(kept))).first).to_be_visible()
    with page.expect_download() as download:
        panel.click()
    with zipfile.ZipFile(download.value.path()) as archive:
        records = [json.loads(line) for line in archive.read("labels.jsonl").splitlines()]
        manifest = json.loads(archive.read("manifest.json"))
    assert manifest["counts"]["records"] == len(records) == len(kept)
    ratings = sorted([item["completions"][0]["rating"] for item in record["label"]["steps"]] for record in records)
    assert ratings == sorted([item["rating"] for item in row["completions"]] for row in kept)


def test_a_file_that_is_refused_says_why(world: World, page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("alma")
    page.goto("/data")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="File").click()
    chooser.value.set_files({"name": "labels.jsonl", "mimeType": "text/plain", "buffer": b"no json at all"})
    page.get_by_label("Format").first.select_option("prm800k")
    page.get_by_role("button", name="Import").click()
    row = page.get_by_role("article", name="labels.jsonl")
    expect(row.get_by_text("Nothing came in")).to_be_visible(timeout=60_000)
    expect(row.get_by_role("link", name="Bad lines")).to_have_text("Bad lines: 1")
