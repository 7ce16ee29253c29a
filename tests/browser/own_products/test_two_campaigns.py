"""Two campaigns on one installation, each with models of its own. One runs from its import to its export, everybody
within their role, while the other trains, promotes and rolls back beside it. Nothing crosses over."""

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Window
from tests.browser.own_products import campaigns
from tests.product import world as worlds
from tests.product.words import PASSWORD, judge
from tests.product.world import IMPATIENT, Row, World, submission
from tests.running import product
from tests.running.product import Client

pytestmark = pytest.mark.browser
WHILE_IT_WORKS = 600_000  # a cold worker loads torch first
PEOPLE = {"alma": "admin", "mika": "ml_staff", "ada": "annotator", "ben": "annotator", "erin": "annotator"}
ROUND_0, ROUND_1 = 16, 6


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A product with an admin, ML staff, three annotators, and no data."""
    make = "from labeling.people.accounts import add_person\n" + "".join(
        f"add_person(username={name!r}, password={PASSWORD!r}, role={role!r})\n" for name, role in PEOPLE.items()
    )
    with product.running(tmp_path / "product", IMPATIENT, make) as started, ExitStack() as stack:
        people = {name: stack.enter_context(closing(Client(started.address, name, PASSWORD))) for name in PEOPLE}
        yield World(started, people, worlds.base())


@pytest.fixture
def enter(window: Window) -> Callable[[str], Page]:
    """Opens a window for a person."""

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
    campaigns.import_rows(alma, tmp_path, "sums", campaigns.sums())
    phase = campaigns.make(alma, world, "Sums", source="sums")
    campaigns.staff(alma, phase)
    campaigns.import_gold(alma, world, tmp_path)
    campaigns.open_screening(alma, phase)
    _publish_first(mika, phase)
    campaigns.start(alma, phase)

    campaigns.import_rows(alma, tmp_path, "beads", campaigns.beads())
    beside = campaigns.beside(world)

    disputed, erin = _label(world, phase), enter("erin")
    _rule(erin, disputed)
    _close(mika, phase)
    _close(mika, beside)
    first, strung, second = (
        _train(mika, world, each, name)
        for each, name in ((phase, "first sums"), (beside, "first beads"), (phase, "second sums"))
    )
    _compare(mika, first["name"], strung["name"], phases=("Sums", "Beads"))
    _score(mika, world, beside, strung, of=campaigns.beads())
    with _untouched(world, beside):
        _promote(mika, world, second)
        _score(mika, world, phase, second, of=campaigns.sums())
        picked = _publish_next(mika, world, phase, second)
    _look_again(erin)

    with _untouched(world, phase):
        restrung = _train(mika, world, beside, "second beads")
        _promote(mika, world, restrung)
        _each_page_has_its_own(mika, {"Sums": phase, "Beads": beside})
        _roll_back(mika, "Beads", to=strung["name"])
    _choose_a_judge(mika)

    before, *_ = (row for row in world.rounds(phase) if row["number"] == 0)
    assert {row["solution"] for row in picked}.isdisjoint(task["solution"] for task in _tasks(world, before))
    _export(mika, disputed, tmp_path)
    _nothing_crossed_over(world, phase, beside)


def _label(world: World, phase: Row) -> Row:
    """Labels as ada, and as ben, who misses one error. Returns the task on which they differ."""
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
    campaigns.open_part(page, phase, "Selections")
    page.get_by_role("textbox", name="Solutions", exact=True).fill(str(ROUND_0))
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Publish round").click()
    page.get_by_role("link", name="See the rounds").click(timeout=WHILE_IT_WORKS)
    expect(page.get_by_role("article", name="Round 0")).to_be_visible()


def _rule(page: Page, task: Row) -> None:
    """Rules as an expert, who sees neither names nor anything of the other campaign, in which she labels."""
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


def _compare(page: Page, first: str, second: str, *, phases: tuple[str, str]) -> None:
    """Compares both trainings, with their resolved settings."""
    page.goto("/training")
    for name in (first, second):
        page.get_by_label(f"Compare {name}").check()
    table = page.get_by_role("table").last
    expect(table.get_by_role("columnheader")).to_contain_text([first, second])
    expect(table).to_contain_text("Learning rate")
    expect(table.get_by_role("row").filter(has_text="Phase").get_by_role("cell")).to_have_text(phases)


@contextmanager
def _untouched(world: World, phase: Row) -> Iterator[None]:
    """Checks that acts elsewhere leave the phase's models and history as they are."""
    before = _goes_by(world, phase)
    assert before["current"] and before["history"] and before["noise"]
    yield
    assert _goes_by(world, phase) == before


def _goes_by(world: World, phase: Row) -> Row:
    """Returns the phase's models, its gate and history, and the second looks at its labels."""
    loop = world.admin.call("GET", f"phases/{phase['id']}/loop/")
    names = ("current", "candidate", "selector", "obstacle", "shortage", "history")
    noise = [row for row in world.admin.call("GET", "label-noise/") if row["phase_name"] == phase["name"]]
    return {name: loop[name] for name in names} | {"noise": noise}


def _look_again(page: Page) -> None:
    """Takes second looks as an expert, in her own phase."""
    page.goto("/second-looks")
    expect(page.get_by_label("Round").get_by_role("option")).to_have_text(["Sums, round 0"])
    rows = page.get_by_role("table").get_by_role("row")
    expect(rows).to_have_count(2)
    expect(rows.last).to_contain_text("Sums, round 0")


def _each_page_has_its_own(page: Page, phases: dict[str, Row]) -> None:
    """Checks each phase's strip, history and list of models, once the newest of both are current."""
    for name, phase in phases.items():
        own, others = (f"second {each.lower()}" for each in sorted(phases, key=name.__ne__))
        strip = _due(page, phase)
        expect(strip).to_contain_text(own)
        expect(page.get_by_role("table", name="Results by round").get_by_role("link", name=own)).to_be_visible()
        expect(page.get_by_role("main")).not_to_contain_text(others)
        page.goto(f"/models?phase={phase['id']}")
        models = page.get_by_role("table").first.get_by_role("row").filter(has_text=name)
        expect(models).to_have_count(2)
        expect(models.filter(has_text="Current")).to_contain_text(own)
        expect(page.get_by_role("main").get_by_role("link", name=others)).to_have_count(0)


def _roll_back(page: Page, phase: str, *, to: str) -> None:
    page.goto("/models")
    place = page.get_by_role("listitem").filter(has_text=f"{phase}:")
    place.get_by_role("button", name="Roll back").click()
    place.get_by_role("group", name="Roll back").get_by_role("button", name="Roll back").click()
    expect(place.get_by_role("link")).to_have_text(to)


def _choose_a_judge(page: Page) -> None:
    """Checks that the verifier has no default model where there are several campaigns."""
    page.goto("/verifier")
    models = ["second sums (current in Sums)", "first beads (current in Beads)"]
    others = ["second beads (of Beads)", "first sums (of Sums)"]
    judges = page.get_by_label("Reward model")
    expect(judges.get_by_role("option")).to_have_text(["Choose a model", *models, *others])


def _promote(page: Page, world: World, model: Row) -> None:
    """Promotes the second model, with a reason if its metrics speak against it."""
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


def _score(page: Page, world: World, phase: Row, model: Row, *, of: list[Row]) -> None:
    """Scores what the phase draws from, and checks that no other solution is scored."""
    strip = _due(page, phase)
    strip.get_by_role("button", name="Score the solutions").click()
    expect(strip.get_by_role("link", name="Select the next round")).to_be_visible(timeout=WHILE_IT_WORKS)
    (run,) = [row for row in world.ml_staff.every("scoring-runs/") if row["reward_model"] == model["id"]]
    assert 0 < run["done"] <= len(of)


def _publish_next(page: Page, world: World, phase: Row, model: Row) -> list[Row]:
    """Selects by the phase's own model, which is the default, and publishes the round."""
    _due(page, phase).get_by_role("link", name="Select the next round").click()
    chosen = page.get_by_label("Reward model").locator("option:checked")
    expect(chosen).to_have_text(f"The phase’s current one ({model['name']})")
    page.get_by_role("textbox", name="Solutions", exact=True).fill(str(ROUND_1))
    page.get_by_role("button", name="Select", exact=True).click()
    expect(page.get_by_text(f"Rank {ROUND_1}", exact=True)).to_be_visible(timeout=WHILE_IT_WORKS)
    page.get_by_role("button", name="Publish round").click()
    expect(page.get_by_text("Published as round 1.")).to_be_visible(timeout=WHILE_IT_WORKS)
    selection = next(world.ml_staff.every(f"selections/?phase={phase['id']}"))
    assert selection["reward_model"] == model["id"]
    picked = list(world.ml_staff.every(f"selections/{selection['id']}/items/"))
    assert len(picked) == ROUND_1
    return picked


def _export(page: Page, task: Row, folder: Path) -> None:
    """Exports: one record of each person for each task, but only the ruling for the disputed one."""
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
    assert {record["question"]["problem"] for record in records} <= {row["problem"] for row in campaigns.sums()}


def _texts(record: Row) -> list[str]:
    return [step["completions"][0]["text"] for step in record["label"]["steps"]]


def _ratings(record: Row) -> list[int]:
    return [step["completions"][0]["rating"] for step in record["label"]["steps"]]


def _nothing_crossed_over(world: World, phase: Row, beside: Row) -> None:
    """Checks that each phase has its own data, and erin, an expert of one, no access to the other's."""
    for each, source in ((phase, "sums"), (beside, "beads")):
        published = [task["statement"] for round_ in world.rounds(each) for task in _tasks(world, round_)]
        assert published and all(text.startswith({"sums": "Tom", "beads": "Bea"}[source]) for text in published)
    erin = world.people["erin"]
    judged = [row["statement"] for row in erin.every("solutions/")]
    assert judged and all(text.startswith("Tom") for text in judged)
    assert [row["phase_name"] for row in erin.every("adjudication/disagreement/")] == []
    assert erin.request("GET", f"phases/{beside['id']}/dashboard/").status_code == 403


def _tasks(world: World, round_: Row) -> list[Row]:
    return list(world.admin.every(f"rounds/{round_['id']}/tasks/"))
