"""Two campaigns on one installation: one is played from its import to its export, each person by what their role may
press, while the other runs beside it. Nothing crosses over."""

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Window
from tests.browser.imports import import_file
from tests.product import world as worlds
from tests.product.words import PASSWORD, judge, texts
from tests.product.world import IMPATIENT, Row, World, submission
from tests.running import product
from tests.running.product import Client

pytestmark = pytest.mark.browser
WHILE_IT_WORKS = 600_000  # a cold worker loads torch first
PEOPLE = {"alma": "admin", "mika": "ml_staff", "ada": "annotator", "ben": "annotator", "erin": "annotator"}
SCREENED, ROUND_0, ROUND_1 = 2, 16, 6


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A product with an admin, somebody of the ML staff, three annotators, and no data."""
    with product.running(tmp_path / "product", IMPATIENT) as started, ExitStack() as stack:
        make = "from labeling.people.accounts import add_person\n" + "".join(
            f"add_person(username={name!r}, password={PASSWORD!r}, role={role!r})\n" for name, role in PEOPLE.items()
        )
        started.manage("shell", "--no-imports", "-c", make)
        people = {name: stack.enter_context(closing(Client(started.address, name, PASSWORD))) for name in PEOPLE}
        yield World(started, people, worlds.make_base(tmp_path / "base"))


@pytest.fixture
def enter(window: Window) -> Callable[[str], Page]:
    """A window of their own for each person."""

    def as_(name: str) -> Page:
        page = window()
        page.goto("/")
        page.get_by_label("User name").fill(name)
        page.get_by_role("textbox", name="Password").fill(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()
        return page

    return as_


def test_two_campaigns_side_by_side(world: World, enter: Callable[[str], Page], tmp_path: Path) -> None:
    alma, mika = enter("alma"), enter("mika")
    _import(alma, tmp_path, "sums", _sums())
    phase = _make_phase(alma, world, "Sums", source="sums")
    _staff(alma, phase)
    _import_gold(alma, world, tmp_path)
    _open_screening(alma, phase)
    _publish_first(mika, phase)
    _start(alma, phase)

    _import(alma, tmp_path, "beads", _beads())
    beside = _beside(world)

    disputed = _label(world, phase)
    _rule(enter("erin"), disputed)
    _close(mika, phase)
    first, second = (_train(mika, world, phase, name) for name in ("first", "second"))
    _compare(mika, first["name"], second["name"])
    _promote(mika, world, second)
    _score(mika, world, phase, second)
    picked = _publish_next(mika, world, phase)

    before, *_ = (row for row in world.rounds(phase) if row["number"] == 0)
    assert {row["solution"] for row in picked}.isdisjoint(task["solution"] for task in _tasks(world, before))
    _export(mika, disputed, tmp_path)
    _nothing_crossed_over(world, phase, beside)


def _sums() -> list[Row]:
    return [
        {"problem": statement, "reference_answer": str(attempts[0].answer), "generator": "words", "steps": text.steps}
        | {"correct": text.is_right, "split": "test" if number % 4 == 0 else "train"}
        for number, (statement, attempts) in enumerate(list(texts())[:20])
        for text in attempts
    ]


def _beads() -> list[Row]:
    """The other campaign's data: what a slip of the other kind would bring across is easy to tell."""
    return [
        {"problem": f"Bea threads {number} beads and {number} more. How many?", "reference_answer": str(2 * number)}
        | {"generator": "threads", "steps": [f"She threads ${number} + {number} = {2 * number + slip}$ beads."]}
        | {"correct": slip == 0}
        for number in range(10, 30)
        for slip in (0, 1)
    ]


def _import(page: Page, folder: Path, source: str, rows: list[Row]) -> None:
    path = folder / f"{source}.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    import_file(page, path, source=source)


def _part(page: Page, phase: Row, name: str) -> None:
    page.goto(f"/phases/{phase['id']}")
    page.get_by_role("navigation", name="Parts of the phase").get_by_role("link", name=name, exact=True).click()


def _make_phase(page: Page, world: World, name: str, *, source: str) -> Row:
    """A phase of overlap 2 that draws from the one source."""
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


def _staff(page: Page, phase: Row) -> None:
    """Three people label here, one of them as an expert."""
    _part(page, phase, "People")
    for name in ("ada", "ben", "erin"):
        page.get_by_role("combobox", name="Who").fill(name)
        page.get_by_role("option", name=name).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add to the phase").click()
    page.get_by_label("Role of erin").select_option(label="Expert")
    expect(page.get_by_label("Role of erin")).to_have_value("expert")


def _import_gold(page: Page, world: World, folder: Path) -> None:
    wrong = world.admin.call("GET", "solutions/?verdict=wrong&source=sums")["results"][:SCREENED]
    path = folder / "gold.jsonl"
    path.write_text("\n".join(json.dumps({"solution": row["id"], "ratings": judge(row["steps"])}) for row in wrong))
    page.goto("/gold")
    page.get_by_role("button", name="Import a file").click()
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("button", name=f"Import {SCREENED} rows").click()
    expect(page.get_by_role("row").filter(has_text="Tom")).to_have_count(SCREENED)


def _open_screening(page: Page, phase: Row) -> None:
    _part(page, phase, "Rounds")
    expect(page.get_by_text("No rounds yet.")).to_be_visible()  # what stands above has its height: the button stays
    page.get_by_label("Number of solutions").fill(str(SCREENED))
    page.get_by_role("button", name="Open the screening").click()
    expect(page.get_by_role("article", name="Screening")).to_be_visible()


def _start(page: Page, phase: Row) -> None:
    page.goto(f"/phases/{phase['id']}")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Running", exact=True).first).to_be_visible()


def _beside(world: World) -> Row:
    """The other campaign: erin labels its only round, whose model does not exist yet."""
    phase: Row = world.admin.call(
        "POST", "phases/", {"name": "Beads", "kind": "solutions", "sources": ["beads"], "shared_rate": 0}
    )
    world.admin.call("POST", f"phases/{phase['id']}/members/", {"usernames": ["erin"]})
    world.publish(phase, policy="uniform", size=8, per_problem=1)
    list(world.label(world.people["erin"], phase))
    return phase


def _label(world: World, phase: Row) -> Row:
    """ada judges well; ben, too, but for one solution in which he sees no error. That task."""
    list(world.label(world.people["ada"], phase))
    overlooked: list[Row] = []
    ben = world.people["ben"]
    claim = ben.call("POST", f"phases/{phase['id']}/claim/")
    while task := claim["assignment"]:
        ratings = judge(task["solution"]["steps"])
        is_real = len(overlooked) == 0 and -1 in ratings and not task["is_screening"]
        if is_real:
            overlooked.append(task)
            ratings = [1 for _ in task["solution"]["steps"]]
        claim = ben.call("POST", f"assignments/{task['id']}/submit/", submission(ratings))["next"]
    return overlooked[0]


def _publish_first(page: Page, phase: Row) -> None:
    _part(page, phase, "Selections")
    page.get_by_role("textbox", name="Solutions", exact=True).fill(str(ROUND_0))
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Publish round").click()
    page.get_by_role("link", name="See the rounds").click(timeout=WHILE_IT_WORKS)
    expect(page.get_by_role("article", name="Round 0")).to_be_visible()


def _rule(page: Page, task: Row) -> None:
    """The expert sees neither who said what, nor anything of the other campaign, in which she labels."""
    page.goto("/adjudication/disagreement")
    rows = page.get_by_role("row").filter(has_text="Sums")
    expect(rows).to_have_count(1)
    rows.get_by_role("link").click()
    first_step = page.get_by_role("region", name="Solution").get_by_role("listitem").first
    expect(first_step.get_by_role("term")).to_have_text(["Person A", "Person B"])
    state = page.get_by_role("status")
    expect(state.filter(has_text="0 of")).to_be_visible()
    for step, rating in enumerate(judge(task["solution"]["steps"]), 1):
        buttons = page.get_by_role("group", name=f"Rating of step {step}", exact=True)
        buttons.get_by_role("button", name={1: "Great", 0: "Okay", -1: "Bad"}[rating]).click()
    page.get_by_label("Note").fill("The sum is wrong.")
    page.get_by_role("button", name="Settle the ratings").click()
    page.get_by_role("button", name="Settle", exact=True).click()
    page.get_by_role("link", name="Return to the case").click()
    expect(page.get_by_role("article").filter(has_text="The sum is wrong.")).to_be_visible()
    expect(page.get_by_role("term").filter(has_text="ada").first).to_be_visible()


def _due(page: Page, phase: Row) -> Locator:
    page.goto(f"/phases/{phase['id']}")
    return page.get_by_role("region", name="The loop")


def _close(page: Page, phase: Row) -> None:
    strip = _due(page, phase)
    strip.get_by_role("button", name="Close the round").click()
    expect(strip.get_by_role("link", name="Train a model")).to_be_visible()


def _train(page: Page, world: World, phase: Row, name: str) -> Row:
    page.goto(f"/training?phase={phase['id']}")  # as the strip's “Train a model” does
    page.get_by_role("textbox", name="Name", exact=True).fill(name)
    page.get_by_label("Base model").fill(world.base)
    page.get_by_role("textbox", name="Epochs").fill("2")
    page.get_by_role("button", name="Train a model").click()
    row = page.get_by_role("row").filter(has_text=name)
    expect(row.get_by_text("Done")).to_be_visible(timeout=WHILE_IT_WORKS)
    return next(model for model in world.ml_staff.every("reward-models/") if model["name"] == name)


def _compare(page: Page, first: str, second: str) -> None:
    """Both trainings side by side, with what they resolved to."""
    page.goto("/training")
    for name in (first, second):
        page.get_by_label(f"Compare {name}").check()
    table = page.get_by_role("table").last
    expect(table.get_by_role("columnheader")).to_contain_text([first, second])
    expect(table).to_contain_text("Learning rate")


def _promote(page: Page, world: World, model: Row) -> None:
    """The second model takes the first one's place; with a reason, where the figures speak against it."""
    world.evaluated(model["id"])
    page.goto(f"/models/{model['id']}")
    reason, promote = (
        page.get_by_label("Why", exact=True),
        page.get_by_role("button", name=re.compile("^Make (it )?current")),
    )
    expect(promote).to_be_visible(timeout=WHILE_IT_WORKS)
    if world.look_at("reward-models", model)["obstacle"]:
        reason.fill("To see the loop turn.")
    promote.click()
    expect(promote).to_be_hidden()


def _score(page: Page, world: World, phase: Row, model: Row) -> None:
    """What the phase draws from is scored, and no more: the other campaign's solutions wait for nobody."""
    strip = _due(page, phase)
    strip.get_by_role("button", name="Score the solutions").click()
    expect(strip.get_by_role("link", name="Select the next round")).to_be_visible(timeout=WHILE_IT_WORKS)
    (run,) = [row for row in world.ml_staff.every("scoring-runs/") if row["reward_model"] == model["id"]]
    assert 0 < run["done"] <= len(_sums())


def _publish_next(page: Page, world: World, phase: Row) -> list[Row]:
    _due(page, phase).get_by_role("link", name="Select the next round").click()
    page.get_by_role("textbox", name="Solutions", exact=True).fill(str(ROUND_1))
    page.get_by_role("button", name="Select", exact=True).click()
    expect(page.get_by_text(f"Rank {ROUND_1}", exact=True)).to_be_visible(timeout=WHILE_IT_WORKS)
    page.get_by_role("button", name="Publish round").click()
    expect(page.get_by_text("Published as round 1.")).to_be_visible(timeout=WHILE_IT_WORKS)
    selection = next(world.ml_staff.every(f"selections/?phase={phase['id']}"))
    picked = list(world.ml_staff.every(f"selections/{selection['id']}/items/"))
    assert len(picked) == ROUND_1
    return picked


def _export(page: Page, task: Row, folder: Path) -> None:
    """The labels as they stand: for each task one record of each person, but of the disputed one the ruling, once."""
    page.goto("/export")
    page.get_by_role("combobox", name="Phases").click()
    page.get_by_role("option", name="Sums").click()
    page.keyboard.press("Escape")
    page.get_by_label("Format").select_option(label="PRM800K")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download", exact=True).click()
    download.value.save_as(folder / "labels.zip")
    with zipfile.ZipFile(folder / "labels.zip") as archive:
        records = [json.loads(line) for line in archive.read("labels.jsonl").splitlines()]
    assert len(records) == 2 * ROUND_0 - 1
    said = [
        _ratings(record) for record in records if _texts(record) == task["solution"]["steps"][: len(_texts(record))]
    ]
    assert judge(task["solution"]["steps"]) in said
    assert said.count([1] * len(task["solution"]["steps"])) == 0, "who overlooked the error is not handed out"
    assert {record["question"]["problem"] for record in records} <= {row["problem"] for row in _sums()}


def _texts(record: Row) -> list[str]:
    return [step["completions"][0]["text"] for step in record["label"]["steps"]]


def _ratings(record: Row) -> list[int]:
    return [step["completions"][0]["rating"] for step in record["label"]["steps"]]


def _nothing_crossed_over(world: World, phase: Row, beside: Row) -> None:
    """Each phase has its own data in all its rounds, and erin, an expert of one, no hold on the other's."""
    for each, source in ((phase, "sums"), (beside, "beads")):
        put_up = [task["statement"] for round_ in world.rounds(each) for task in _tasks(world, round_)]
        assert put_up and all(text.startswith({"sums": "Tom", "beads": "Bea"}[source]) for text in put_up)
    erin = world.people["erin"]
    judged = [row["statement"] for row in erin.every("solutions/")]
    assert judged and all(text.startswith("Tom") for text in judged)
    assert [row["phase_name"] for row in erin.every("adjudication/disagreement/")] == []
    assert erin.request("GET", f"phases/{beside['id']}/dashboard/").status_code == 403


def _tasks(world: World, round_: Row) -> list[Row]:
    return list(world.admin.every(f"rounds/{round_['id']}/tasks/"))
