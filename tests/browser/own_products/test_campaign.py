"""An empty installation becomes a running campaign of two rounds, with screening and gold, in the browser alone."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Window
from tests.browser.desk import current, rate
from tests.browser.staff.imports import import_file
from tests.product.words import ANNOTATORS, PASSWORD, judge, texts
from tests.product.world import IMPATIENT, Row, World, submission
from tests.running import product
from tests.running.product import Client

pytestmark = pytest.mark.browser
SCREENED, HIDDEN = 2, 1


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A product with a superuser and nothing else, and with the settings of every installation."""
    own = {"DJANGO_SUPERUSER_PASSWORD": PASSWORD, "DJANGO_SETTINGS_MODULE": "stepmark.settings"}
    with product.running(tmp_path, IMPATIENT | own) as started:
        started.manage("createsuperuser", "--noinput", "--username", "root", "--email", "root@example.org")
        yield World(started, {}, "")


@pytest.fixture
def root(world: World) -> Iterator[Client]:
    """A client that checks what the browser did."""
    with closing(Client(world.product.address, "root", PASSWORD)) as client:
        yield client


@pytest.fixture
def annotators(world: World, root: Client) -> Iterator[Callable[[], list[Client]]]:
    """Returns both annotators' clients, once their accounts exist."""
    with ExitStack() as stack:
        yield lambda: [
            stack.enter_context(closing(Client(world.product.address, name, PASSWORD))) for name in ANNOTATORS
        ]


def test_from_nothing_to_two_rounds(
    world: World, root: Client, annotators: Callable[[], list[Client]], window: Window, tmp_path: Path
) -> None:
    page = window()
    _sign_in(page)
    expect(page.get_by_text("No phases yet. Create one below.")).to_be_visible()
    _fill_pool(page, tmp_path)

    page.goto("/phases")
    _make_phase(page)
    phase = root.call("GET", "phases/")["results"][0]
    assert phase["status"] == "draft"
    _come_in(window(), "ada", _invite(page, "Sums"))
    _come_in(window(), "ben", _invite(page, "No phase yet"))
    page.goto(f"/phases/{phase['id']}")
    _let_in_one_more(page, "ben")
    _make_gold(root, page, tmp_path)
    page.goto(f"/phases/{phase['id']}")
    _set(page)
    _screen(page)
    _publish(page, 0)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("Running", exact=True)).to_be_visible()

    ada, ben = annotators()
    assert _label(ada, phase, judge) == SCREENED + HIDDEN + 4
    assert _label(ben, phase, lambda steps: [1] * len(steps)) == SCREENED, "below the pass mark: no task is left"
    _let_in(page, "ben")
    assert _label(ben, phase, judge) == HIDDEN + 4

    _look_at_what_came(page)
    _part(page, "Rounds")
    finished = page.get_by_role("article", name="Round 0")
    expect(finished.get_by_text("8 of 8 labellings")).to_be_visible()
    finished.get_by_role("button", name="Close round 0").click()
    expect(finished.get_by_text("Closed", exact=True)).to_be_visible()
    _publish(page, 1)
    expect(page.get_by_role("article", name="Round 1").get_by_text("0 of 8 labellings")).to_be_visible()
    assert _label(ada, phase, judge) == 4, "gold comes to a person once"

    page.get_by_role("link", name="Audit log").click()
    page.get_by_label("What", exact=True).select_option("Round")
    expect(page.get_by_role("row").filter(has_text="publish")).to_have_count(3)


def _sign_in(page: Page) -> None:
    page.goto("/")
    page.get_by_label("User name").fill("root")
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.keyboard.press("Enter")


def _fill_pool(page: Page, folder: Path) -> None:
    """Imports one wrong solution of each of twelve problems, all alike, so that gold can hide among them."""
    problems = [(statement, attempts[0].answer, attempts[2]) for statement, attempts in list(texts())[:12]]
    rows = [
        {"problem": statement, "reference_answer": str(answer), "generator": "words", "steps": wrong.steps}
        | {"correct": wrong.is_right}
        for statement, answer, wrong in problems
    ]
    (folder / "solutions.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    import_file(page, folder / "solutions.jsonl")


def _invite(page: Page, phase: str) -> str:
    """Makes an invitation. Returns its link."""
    page.goto("/people")
    page.get_by_role("button", name="Invite", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Phase", exact=True).select_option(label=phase)
    dialog.get_by_role("button", name="Create link").click()
    return dialog.get_by_label("The link").input_value()


def _come_in(theirs: Page, name: str, link: str) -> None:
    theirs.goto(link)
    theirs.get_by_label("User name").fill(name)
    theirs.get_by_role("textbox", name="Password").fill(PASSWORD)
    theirs.get_by_role("button", name="Create account").click()
    expect(theirs.get_by_role("heading", name="Your work")).to_be_visible()


def _make_phase(page: Page) -> None:
    page.get_by_role("textbox", name="Name", exact=True).fill("Sums")
    make = page.get_by_role("button", name="Create phase")
    expect(make).to_be_disabled()
    page.get_by_label("The whole pool").check()
    expect(make).to_be_enabled()
    page.get_by_label("Only these sources").check()
    page.get_by_role("combobox", name="Sources").click()
    page.get_by_role("option", name="solutions.jsonl (").click()
    page.keyboard.press("Escape")
    make.click()
    expect(page.get_by_role("heading", name="Sums")).to_be_visible()
    expect(page.get_by_text("Rounds draw from “solutions.jsonl”.")).to_be_visible()
    page.get_by_label("Text (Markdown").fill("Check **every** sum.")
    expect(page.locator("strong", has_text="every")).to_be_visible()
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("Version 2")).to_be_visible()


def _let_in_one_more(page: Page, name: str) -> None:
    """Checks that the invited person is a member, and adds somebody else by name."""
    _part(page, "People")
    expect(page.get_by_role("row").filter(has_text="ada")).to_be_visible()
    page.get_by_role("combobox", name="Who").fill(name)
    page.get_by_role("option", name=name).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add to the phase").click()
    expect(page.get_by_role("row").filter(has_text=name)).to_be_visible()


def _part(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Parts of the phase").get_by_role("link", name=name, exact=True).click()


def _make_gold(root: Client, page: Page, folder: Path) -> None:
    """Makes gold: the expert labels one solution in place, two come from a file."""
    page.get_by_role("link", name="Labels").click()
    page.get_by_role("navigation", name="Labels").get_by_role("link", name="Gold").click()
    page.get_by_role("link", name="Label solutions").click()
    page.get_by_label("Verdict").select_option("Wrong")
    page.get_by_label("How many").fill("1")
    page.get_by_role("button", name="Start").click()
    expect(current(page)).to_be_focused()
    wrong = {row["id"]: row for row in root.call("GET", "solutions/?verdict=wrong")["results"]}
    (candidate,) = root.call("GET", "solutions/without-gold/?verdict=wrong&page_size=1")["results"]
    given = judge(candidate["steps"])
    page.get_by_label("Rationale").fill("A sum is wrong.")
    page.keyboard.press("Escape")
    rate(page, "".join({1: "1", 0: "2", -1: "3"}[rating] for rating in given))
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 1 solution labelled")).to_be_visible()
    page.get_by_role("link", name="All gold").click()
    expect(page.get_by_role("row").filter(has_text="Tom")).to_have_count(1)

    (made,) = root.call("GET", "gold/")["results"]
    assert (made["solution"], made["ratings"], made["rationale"]) == (candidate["id"], given, "A sum is wrong.")
    del wrong[candidate["id"]]
    rows = [{"solution": key, "ratings": judge(row["steps"])} for key, row in list(wrong.items())[:SCREENED]]
    page.get_by_role("button", name="Import a file").click()
    for name, text in (("wrong", "{}\nno JSON"), ("right", "\n".join(json.dumps(row) for row in rows))):
        expect(page.get_by_text("Line 2 is not JSON.")).to_have_count(int(name == "right"))
        (folder / f"{name}.jsonl").write_text(text)
        page.locator("input[type=file]").set_input_files(folder / f"{name}.jsonl")
    page.get_by_role("button", name="Import 2 rows").click()
    expect(page.get_by_role("row").filter(has_text="Tom")).to_have_count(SCREENED + HIDDEN)


def _set(page: Page) -> None:
    _part(page, "Settings")
    page.get_by_label("Labellings per task").fill("2")
    page.get_by_label("Gold set").select_option("gold")
    page.get_by_label("Share of tasks that is gold").fill("100")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_hidden()


def _screen(page: Page) -> None:
    _part(page, "Rounds")
    page.get_by_label("Number of solutions").fill(str(SCREENED))
    page.get_by_role("button", name="Open the screening").click()
    expect(page.get_by_role("article", name="Screening")).to_be_visible()


def _publish(page: Page, round_: int) -> None:
    """Publishes a selection as a round."""
    _part(page, "Selections")
    page.get_by_role("textbox", name="Solutions", exact=True).fill("4")
    page.get_by_role("button", name="Select", exact=True).click()
    page.get_by_role("button", name="Publish round").click()
    expect(page.get_by_text(f"Published as round {round_}.")).to_be_visible(timeout=600_000)
    page.get_by_role("link", name="See the rounds").click()


def _label(annotator: Client, phase: Row, judged: Any) -> int:
    """Labels until nothing is left. Returns the number of tasks."""
    done = 0
    claim = annotator.call("POST", f"phases/{phase['id']}/claim/")
    while assignment := claim["assignment"]:
        body = submission(judged(assignment["solution"]["steps"]))
        claim = annotator.call("POST", f"assignments/{assignment['id']}/submit/", body)["next"]
        done += 1
    return done


def _let_in(page: Page, name: str) -> None:
    _part(page, "People")
    row = page.get_by_role("row").filter(has_text=name)
    expect(row).to_contain_text("failed")
    row.get_by_role("button", name="Admit").click()
    expect(row).to_contain_text("Admitted by an admin")


def _look_at_what_came(page: Page) -> None:
    """Checks quality and agreement, and that a setting says whom it affects before it is changed."""
    _part(page, "Quality")
    expect(page.get_by_role("row").filter(has_text="ada")).to_contain_text("100 %")
    _part(page, "Agreement")
    expect(page.get_by_text("Krippendorff’s alpha").first).to_be_visible()
    expect(page.get_by_text("Not computed yet.")).to_be_visible()  # the page is at rest, and the button stays in place
    page.get_by_role("button", name="Compute the consensus").click()
    expect(page.get_by_role("img", name="Okay, Bad").first).to_be_visible()
    _part(page, "Settings")
    page.get_by_label("Pass mark").fill("10")
    page.get_by_role("button", name="Save", exact=True).click()
    question = page.get_by_role("group", name="What this will affect")
    expect(question).to_contain_text("Pass mark: 75 % → 10 % · at once · nobody yet")
    question.get_by_role("button", name="Change it").click()
    expect(question).to_be_hidden()
