"""The loop on real data, as ML staff take it: from PRM800K's labels to a round of GSM8K's solutions."""

import gzip
import json
from collections.abc import Callable
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import current
from tests.product.words import PASSWORD
from tests.product.world import Row, World
from tests.real_data import DATA
from tests.running.product import Client

pytestmark = pytest.mark.browser
WHILE_IT_WORKS = 600_000  # a cold worker loads torch first


def import_file(world: World, folder: Path, path: str, lines: int, *options: str) -> None:
    """Imports the first lines of a real file."""
    part = folder / Path(path).with_suffix("").name
    with gzip.open(DATA / path, "rt") as file:
        part.write_text("".join(islice(file, lines)))
    world.product.manage("import", str(part), *options)


def texts_of(world: World, phase: str) -> list[Row]:
    """Returns the labelled texts of a phase, as a file has them."""
    (found,) = [each["id"] for each in world.admin.every("phases/") if each["name"] == phase]
    ids = [row["id"] for row in world.admin.every(f"labellings/?phase={found}")]
    rows = [world.admin.call("GET", f"labellings/{each}/") for each in ids]
    return [{"problem": row["problem_statement"], "steps": row["steps"]} for row in rows]


def put_labels_into(page: Page, records: list[Row]) -> list[Row]:
    """Puts the labels into a file of the records. Returns the records of the copy."""
    page.goto("/export")
    with page.expect_file_chooser() as chooser:
        page.get_by_label("File", exact=True).click()
    content = "\n".join(map(json.dumps, records)).encode()
    chooser.value.set_files({"name": "own.jsonl", "mimeType": "", "buffer": content})
    with page.expect_download() as download:
        page.get_by_role("button", name="Put the labels in").click()
    expect(page.get_by_text("Saved as labelled-own.jsonl.")).to_be_visible()
    return [json.loads(line) for line in Path(download.value.path()).read_text().splitlines()]


@pytest.mark.skipif(not DATA.is_dir(), reason=f"there is no real data at {DATA} (STEPMARK_DATA names another folder)")
def test_from_real_labels_to_an_annotators_first_task(
    world: World, page: Page, sign_in: Callable[[str], None], tmp_path: Path
) -> None:
    import_file(world, tmp_path, "prm800k/phase1_train.jsonl.gz", 25, "--phase", "PRM800K")
    gsm8k = ["--format", "gsm8k", "--source", "gsm8k"]
    import_file(world, tmp_path, "gsm8k/example_model_solutions.jsonl.gz", 50, *gsm8k)
    world.admin.call("POST", "people/", {"username": "gail", "password": PASSWORD})
    phase = world.new_phase("Grade school", ["gail"])
    world.let_ml_staff_run()

    sign_in("mika")
    own = texts_of(world, "PRM800K")
    copies = put_labels_into(page, own)
    assert own
    assert all(each.pop("stepmark") for each in copies)
    assert copies == own

    page.goto("/training")
    page.get_by_label("For the phase").select_option(label="PRM800K")  # and its labels
    page.get_by_role("textbox", name="Name", exact=True).fill("from PRM800K")
    page.get_by_label("Base model").fill(world.base)
    page.get_by_label("Epochs").fill("1")
    page.get_by_role("button", name="Train a model").click()
    training = page.get_by_role("row").filter(has_text="from PRM800K")
    expect(training.get_by_role("progressbar")).to_be_visible()
    expect(training.get_by_text("Done")).to_be_visible(timeout=WHILE_IT_WORKS)

    training.get_by_role("link", name="from PRM800K", exact=True).click()
    expect(page.get_by_role("heading", name="from PRM800K")).to_be_visible()
    expect(page.get_by_role("heading", name="On the same held-out labels")).to_be_visible(timeout=WHILE_IT_WORKS)
    expect(page.get_by_text("PRM800K, round 0")).to_be_visible()
    model = next(row for row in world.ml_staff.every("reward-models/") if row["name"] == "from PRM800K")
    world.score(model["id"])

    page.goto(f"/phases/{phase['id']}/selections")
    page.get_by_label("Policy").select_option("convincing")  # by another phase's model only where somebody says so
    page.get_by_label("Reward model").select_option(model["id"])
    page.get_by_label("Source").select_option("gsm8k")
    page.get_by_role("textbox", name="Solutions", exact=True).fill("10")
    page.get_by_role("button", name="Select", exact=True).click()
    expect(page.get_by_text("Rank 10", exact=True)).to_be_visible(timeout=WHILE_IT_WORKS)
    selection = next(world.ml_staff.every("selections/"))
    picks = list(world.ml_staff.every(f"selections/{selection['id']}/items/"))
    # 80 % of the 9 that are not drawn at random.
    assert [item["verdict"] for item in picks[:7]] == ["wrong"] * 7
    page.get_by_role("button", name="Publish round").click()
    expect(page.get_by_text("Published as round 0.")).to_be_visible(timeout=WHILE_IT_WORKS)

    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("User name")).to_be_visible()
    sign_in("gail")
    page.goto(f"/label/{phase['id']}")
    expect(current(page)).to_contain_text("Step 1")
    with closing(Client(world.product.address, "gail", PASSWORD)) as gail:
        task = gail.call("POST", f"phases/{phase['id']}/claim/")["assignment"]
    served = {"steps": task["solution"]["steps"], "problem_statement": task["problem"]["statement"]}
    assert served in [{name: pick[name] for name in served} for pick in picks], "shuffled, and one of the picks"
