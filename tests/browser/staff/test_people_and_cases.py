"""An admin invites people and settles their disagreements."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Window
from tests.browser.desk import go_to
from tests.product.words import ANNOTATORS
from tests.product.world import Row, World, submission

pytestmark = pytest.mark.browser


def published(world: World, name: str, overlap: int, members: list[str], **settings: bool) -> Row:
    phase = world.new_phase(name, members, **settings)
    chosen = world.finish("selections", phase=phase["id"], policy="uniform", size=1)
    world.finish("publications", selection=chosen["id"], overlap=overlap)
    return phase


def disagree(world: World, phase: Row, *results: str) -> None:
    """Labels a task twice: the first person finds an error in the first step, the second none. `results`: their
    answers about the final result, if they are asked.
    """
    for username, is_first in zip(ANNOTATORS, (True, False), strict=True):
        client = world.people[username]
        task = client.call("POST", f"phases/{phase['id']}/claim/")["assignment"]
        ratings = [-1] if is_first else [1 for _ in task["solution"]["steps"]]
        said = {"result": results[ANNOTATORS.index(username)]} if results else {}
        client.call("POST", f"assignments/{task['id']}/submit/", submission(ratings) | said)


def test_an_admin_invites_and_deactivates(
    world: World, window: Window, page: Page, sign_in: Callable[[str], None]
) -> None:
    phase = published(world, "By invitation", 1, ["ben"])
    sign_in("alma")
    page.get_by_role("link", name="People", exact=True).click()
    page.get_by_role("button", name="Invite", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Phase", exact=True).select_option(label="By invitation")
    dialog.get_by_role("button", name="Create link").click()
    link = dialog.get_by_label("The link").input_value()
    dialog.get_by_role("button", name="Done").click()
    expect(page.get_by_text("Annotator, By invitation")).to_be_visible()

    theirs = window()
    theirs.goto(link)
    expect(theirs.get_by_text("alma invites you")).to_be_visible()
    expect(theirs.get_by_label("User name")).to_be_focused()
    theirs.keyboard.type("nora")
    theirs.keyboard.press("Tab")
    theirs.keyboard.type("short step")
    theirs.keyboard.press("Enter")
    theirs.get_by_role("link", name="Start labelling").click()
    expect(theirs.get_by_text("Step 1", exact=True).first).to_be_visible()
    assert world.people["ben"].call("POST", f"phases/{phase['id']}/claim/")["assignment"] is None

    page.reload()
    page.get_by_role("link", name="Open nora").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("button", name="Deactivate").click()
    drawer.get_by_role("button", name="Deactivate").click()
    expect(drawer.get_by_role("button", name="Reactivate")).to_be_visible()
    assert world.people["ben"].call("POST", f"phases/{phase['id']}/claim/")["assignment"] is not None
    theirs.goto("/")
    expect(theirs.get_by_role("heading", name="Sign in")).to_be_visible()
    secret = link.rstrip("/").rsplit("/", 1)[1]
    assert world.people["ben"].request("GET", f"invite/{secret}/").status_code == 410


def test_an_admin_settles_a_disagreement_by_keyboard(world: World, page: Page, sign_in: Callable[[str], None]) -> None:
    phase = published(world, "Disputed", 2, list(ANNOTATORS))
    disagree(world, phase)
    sign_in("alma")
    page.goto("/adjudication/disagreement")
    row = page.get_by_role("row").filter(has_text="Disputed")
    row.get_by_role("link").press("Enter")
    step = page.get_by_role("region", name="Solution").get_by_role("listitem").first
    expect(step).to_be_focused()
    expect(step.get_by_role("term")).to_have_text(["Person A", "Person B"])
    expect(step.get_by_role("definition")).to_have_text(["Bad", "Great"])
    state = page.get_by_role("status")

    page.keyboard.press("2")
    expect(state.filter(has_text="1 of")).to_be_visible()
    page.keyboard.press("Shift+Digit1")
    expect(state.filter(has_text="Error found at step 1")).to_be_visible()
    page.keyboard.press("z")
    expect(state.filter(has_text="1 of")).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(step).to_be_focused()
    page.keyboard.press("3")
    expect(state.filter(has_text="Error found at step 1")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.type("The first step is wrong.")
    page.keyboard.press("Escape")
    expect(step).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Settle", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    go_to(page, page.get_by_role("link", name="Return to the case"))
    page.keyboard.press("Enter")
    case = page.get_by_role("article").filter(has_text="The first step is wrong.")
    expect(case).to_contain_text("Labelling: Overruled")
    expect(case).to_contain_text(ANNOTATORS[1])
    expect(page.get_by_text("overruled", exact=True)).to_be_visible()
    settled = page.get_by_role("region", name="Steps, with what people said").get_by_role("listitem").first
    expect(settled.get_by_role("term")).to_have_text([*ANNOTATORS, "Ruling"])
    expect(settled.get_by_role("definition")).to_have_text(["Bad", "Great", "Bad"])

    page.get_by_role("link", name="Audit log").click()
    page.get_by_label("What", exact=True).select_option(label="Case")
    expect(page.get_by_role("row").filter(has_text="The first step is wrong.")).to_be_visible()

    page.goto("/adjudication/disagreement")
    page.get_by_role("row").filter(has_text="The first step is wrong.").get_by_role("link").click()
    page.get_by_role("button", name="Reopen").click()
    page.get_by_role("group", name="Reopen").get_by_role("button", name="Reopen").click()
    expect(step.get_by_role("term")).to_have_text(["Person A", "Person B"])
    expect(page.get_by_role("textbox", name="Note")).to_have_value("The first step is wrong.")


def test_a_ruling_says_whether_the_result_is_right(world: World, page: Page, sign_in: Callable[[str], None]) -> None:
    phase = published(world, "Result in dispute", 2, list(ANNOTATORS), asks_result=True)
    disagree(world, phase, "wrong", "right")
    sign_in("alma")
    page.goto(f"/adjudication/disagreement?phase={phase['id']}")
    page.get_by_role("row").filter(has_text="Result in dispute").get_by_role("link").press("Enter")
    expect(page.get_by_text("Final result: Right")).to_be_visible()
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    result = page.get_by_label("Final result")
    expect(result).to_be_focused()
    page.keyboard.press("w")
    expect(result).to_have_value("wrong")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    go_to(page, page.get_by_role("link", name="Return to the case"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Final result: Wrong")).to_have_count(2)  # the first person's, and the ruling's


def test_a_script_gets_a_token(page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("alma")
    page.get_by_role("link", name="alma").click()
    page.get_by_label("Name of a new token").fill("nightly")
    page.get_by_role("button", name="Create token").click()
    secret = page.get_by_label("The token").input_value()
    reply = page.request.get("/api/people/", headers={"Authorization": f"Token {secret}", "Cookie": ""})
    assert reply.ok
    page.get_by_role("button", name="Revoke").click()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("You have no tokens.")).to_be_visible()


def test_hours_of_a_half_typed_day_are_not_asked_for(page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("alma")
    page.get_by_role("link", name="People", exact=True).click()
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url) if "/hours/" in request.url else None)
    first, download = page.get_by_label("From", exact=True), page.get_by_role("button", name="Download CSV")
    expect(first).to_be_visible()
    first.press_sequentially("12")
    download.click()
    expect(first).to_be_focused()
    assert not asked
    first.fill("2026-03-02")
    with page.expect_download() as hours:
        download.click()
    assert hours.value.suggested_filename == "hours.csv"
    assert re.search(r"/api/people/hours/\?tz=[^&]+&from=2026-03-02&to=$", asked[0])
