"""Checks every page by axe for WCAG 2.2 AA: light and dark, wide and on a phone."""

import re
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.browser.conftest import Window
from tests.browser.desk import Desk, at_work, current, press, rate, start
from tests.product.words import PASSWORD, judge
from tests.product.world import Row, World, submission
from tests.running.product import Client

pytestmark = pytest.mark.browser
AXE = Path(__file__).resolve().parents[2] / "frontend/node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
# Entrance animations end before axe looks; anything that moves for over five seconds fails, except for loaders.
FIND = """async (rules) => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const lasts = (each) => each.effect.getComputedTiming().endTime;
  const moving = document.getAnimations();
  const waits = (each) => /turn/.test(each.animationName) || each.effect.target.closest(".mantine-Loader-root");
  const long = moving.filter((each) => lasts(each) > 5000 && !waits(each));
  await Promise.all(moving.filter((each) => lasts(each) < 1000).map((each) => each.finished.catch(() => null)));
  const found = await axe.run(document, { runOnly: rules, resultTypes: ["violations"] });
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`))
    .concat(long.map((each) => `moves on: ${each.animationName} of ${each.effect.target.outerHTML.slice(0, 200)}`));
}"""
WIDE, PHONE = ViewportSize(width=1440, height=900), ViewportSize(width=390, height=844)
# A scheme changes nothing but colours: the rules about colours run in both.
STYLES = [("light", WIDE, TAGS), ("dark", WIDE, COLOURS), ("dark", PHONE, COLOURS), ("light", PHONE, TAGS)]
LONG = r"\sum_{i=1}^{100} i \cdot (i + 1) \cdot (i + 2) \cdot (i + 3) \cdot (i + 4) = 2 \cdot 3 \cdot 4 \cdot 5"
MATHS = f"Judge by $a + b = c$, and by\n\n$${LONG}$$"


def check(page: Page, where: str) -> None:
    """Checks the page in both schemes and at both widths. Fails with every violation."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    wrong = {}
    for scheme, size, rules in STYLES:
        page.set_viewport_size(size)
        page.evaluate("scheme => document.documentElement.setAttribute('data-mantine-color-scheme', scheme)", scheme)
        page.evaluate("scrollTo(0, 0)")  # what has slid half under the head is no small target
        if found := page.evaluate(FIND, rules):
            wrong[f"{where}, {scheme}, {size['width']} px"] = found
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > size["width"]:
            wrong[f"{where}, {scheme}, {size['width']} px"] = [f"is {width} px wide"]
    page.set_viewport_size(WIDE)
    assert wrong == {}


@pytest.mark.desk(
    tasks=3,
    attempt=2,
    is_unanswered=True,
    asks_alternatives=True,
    asks_critiques=True,
    asks_progress=True,
    instructions=MATHS,
)
def test_whole_solutions(desk: Desk, page: Page, sign_in: Callable[[str], None]) -> None:
    page.goto("/")
    expect(page.get_by_label("User name")).to_be_focused()
    check(page, "sign-in")
    sign_in(desk.name)
    expect(page.get_by_role("link", name="Start labelling")).to_be_focused()
    check(page, "phases")
    start(page)
    check(page, "a fresh task")
    for key, name in (
        ("?", "Keys and guide"),
        ("p", "What is wrong with this problem?"),
        ("r", "look wrong"),
        ("i", "Guidelines"),
        ("=", "Calculator"),
    ):
        page.keyboard.press(key)
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        check(page, name)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="A short tour").click()
    expect(page.get_by_text("The problem stays in view")).to_be_visible()
    check(page, "the tour")
    page.keyboard.press("Escape")
    rate(page, "1")
    press(page, "n", then="Step 2")
    page.keyboard.type("A note")
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    expect(current(page)).to_contain_text("Alternative A")
    press(page, "1", then="How far had")
    page.keyboard.press("w")
    page.keyboard.type("It is $1$.")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect(page.get_by_role("button", name="Submit")).to_be_visible()
    check(page, "rated to the end")
    page.keyboard.press("Enter")
    rate(page, "1111")
    expect(page.get_by_text("The whole solution is fine")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Worth a second look?")).to_be_visible()
    check(page, "a soft check")
    page.keyboard.press("h")
    expect(page.get_by_role("dialog").get_by_role("button", name="Revise").first).to_be_focused()
    check(page, "history")
    page.keyboard.press("Enter")
    expect(page.get_by_text("You are revising")).to_be_visible()
    check(page, "a revision")


@pytest.mark.desk(kind="alternatives", instructions=MATHS)
def test_alternatives(desk: Desk, window: Window) -> None:
    desk.change(error_kinds=[{"key": "c", "name": "Calculation"}], asks_error_words=True)
    page = window(desk)
    at_work(page, desk)
    check(page, "fresh alternatives")
    press(page, "1", then="Completion B")
    page.keyboard.press("3")
    expect(page.get_by_role("region", name="Error of completion B")).to_be_visible()
    check(page, "what is wrong with a completion")
    page.keyboard.press("c")
    expect(page.get_by_role("button", name="Go on to step 2")).to_be_visible()
    check(page, "rated alternatives")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Change step 1")).to_be_visible()
    page.keyboard.press("w")
    page.keyboard.type(r"So $\boxed{36}$.")
    check(page, "a step of one's own")


@pytest.mark.desk(tasks=1, attempt=2, screening=1)
def test_the_verdict_of_a_screening(desk: Desk, window: Window) -> None:
    page = window(desk)
    page.goto(desk.address)
    rate(page, "23")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Screening passed")).to_be_visible()
    check(page, "screening")


@pytest.mark.desk()
def test_cases_and_people(desk: Desk, page: Page, sign_in: Callable[[str], None]) -> None:
    desk.client.call("POST", f"assignments/{desk.in_hand()['id']}/report/", {"note": "It should be 3."})
    sign_in("alma")
    page.goto("/adjudication/reference_answer")
    page.get_by_role("row").filter(has_text=desk.name).get_by_role("link").press("Enter")
    expect(page.get_by_text("It should be 3.")).to_be_visible()
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Settle", exact=True)).to_be_visible()
    check(page, "a case")


@pytest.mark.desk()
def test_the_second_factor(desk: Desk, window: Window) -> None:
    page = window(desk)
    page.goto("/account")
    expect(page.get_by_text("This browser")).to_be_visible()
    page.get_by_role("button", name="Set up").click()
    secret = page.get_by_role("img", name="The secret as a QR code").locator("xpath=following-sibling::code")
    expect(secret).to_be_visible()
    check(page, "a second factor's secret")
    code = format_hotp_value(hotp_value(secret.inner_text(), int(time.time()) // 30))
    page.get_by_label("The code that the app shows").fill(code)
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_text("Recovery codes")).to_be_visible()
    check(page, "recovery codes")
    elsewhere = window(may_err=True)  # the browser says that a sign-in without its code was refused
    elsewhere.goto("/")
    elsewhere.get_by_label("User name").fill(desk.name)
    elsewhere.get_by_role("textbox", name="Password").fill(PASSWORD)
    elsewhere.keyboard.press("Enter")
    expect(elsewhere.get_by_label("Code")).to_be_visible()
    check(elsewhere, "a code at sign-in")


SOURCES = ["arithmetic"]  # among what other tests import, gold would stand out


@pytest.fixture(scope="session")
def campaign(running_world: World) -> Row:
    """A phase with hidden gold, of which ada and ben have labelled the same tasks."""
    world = running_world
    phase = world.new_phase("Looked at", sources=SOURCES)
    # Of several problems: a round hides one gold solution of a problem that it does not have.
    of_problems = {row["problem"]: row for row in world.admin.every("solutions/?source=arithmetic")}
    for row in list(of_problems.values())[:3]:
        gold = {"solution": row["id"], "ratings": judge(row["steps"]), "gold_set": "looked at"}
        world.admin.call("POST", "gold/", gold | {"rationale": "A sum is wrong."})
    world.admin.call("PATCH", f"phases/{phase['id']}/settings/", {"gold_set": "looked at", "gold_rate": 1})
    chosen = world.finish("selections", phase=phase["id"], policy="uniform", size=20)  # of all kinds, as gold is
    world.finish("publications", selection=chosen["id"], overlap=2)
    for name in ("ada", "ben"):
        assert list(world.label(world.people[name], phase))
    (opened,) = world.rounds(phase)
    world.admin.call("POST", f"rounds/{opened['id']}/consensus/")
    return phase


ONE_WORD = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbe"
IN_ONE_WORD = {"username": ONE_WORD, "gold_set": ONE_WORD}
PARTS = {
    "": "Round 0",
    "/selections": "Select the next round",
    "/dashboard": "Labellings a day",
    "/people": "ada",
    "/quality": "95 % interval",
    "/agreement": "Consensus ratings",
    "/autopilot": "What it did",
    "/settings": "Pass mark",
}
PAGES = {
    "/phases": "Looked at",
    "/gold": "Ratings",
    "/gold/label": "Start",
    "/gold/label?number=3": "1 of 3",
    "/people": "ada",
    "/audit-log": "alma",
    "/labellings?annotator=ada": "ada",  # those of other tests may fill the first page
    "/adjudication/disagreement": "first error",
    "/pool": "Published in",
    "/import": "Drop a file here",
    "/export": "ZIP archive",
    "/data-releases": "No labels have been released yet",
    "/data-releases/new": "Which labels",
    "/account": "This browser",
    "/pool/sources": "arithmetic",
    "/pool/benchmarks": "No benchmark is registered",
    "/label": "Looked at",
}


LONG_NAME = "Looked_at_and_called_by_one_word_that_is_longer_than_a_phone_is_wide"
OF_ML_STAFF = {
    "/training": LONG_NAME,
    "/models": LONG_NAME,
    "/runs": LONG_NAME,
    "/generation": "Generate",
    "/second-looks": "Label noise",
    "/health": "Last heard of",
    "/verifier": "Suspect below",
}


OF_ONE_KIND = ((r"^/phases/[0-9a-f-]{36}", "/phases/{id}"), (r"^/adjudication/\w+", "/adjudication/{queue}"))


def kind(address: str) -> str:
    """Returns the address with placeholders for its phase and its queue."""
    for pattern, name in OF_ONE_KIND:
        address = re.sub(pattern, name, address)
    return f"{address.partition('?')[0]}/"


def go(page: Page, address: str) -> None:
    """Navigates without a reload, as a link does; first to a missing page, so that the last one has gone."""
    for each, seen in (("/nowhere", True), (address, False)):
        page.evaluate("address => history.pushState(null, '', address)", each)
        expect(page.get_by_role("heading", name="Page not found")).to_be_visible(visible=seen)


def check_all(page: Page, pages: Mapping[str, str]) -> None:
    """Checks each page when it shows its text, and that the navigation leads to listed pages only."""
    linked = set[str]()
    for address, text in pages.items():
        go(page, address)
        expect(page.get_by_role("main").get_by_text(text).first).to_be_visible()
        check(page, address)
        linked |= {*page.locator("nav a").evaluate_all("links => links.map((link) => link.pathname)")}
    parts = [f"/phases/{{id}}{part}" for part in PARTS]
    listed = [kind(address) for address in (*pages, *PAGES, *OF_ML_STAFF, *parts)]
    assert {link for link in linked if not any(each.startswith(kind(link)) for each in listed)} == set()


def test_the_pages_of_admins(world: World, campaign: Row, page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("alma")
    parts = {f"/phases/{campaign['id']}{part}": text for part, text in PARTS.items()}
    (solution, *_) = world.admin.call("GET", "pool/solutions/?labelled=yes")["results"]
    parts[f"/pool/{solution['id']}"] = "Reference answer"
    (gold, *_) = world.admin.call("GET", "gold/?gold_set=looked%20at")["results"]
    parts[f"/gold/{gold['solution']}"] = "Rationale"
    check_all(page, PAGES | parts)


@pytest.mark.parametrize("address", ["/people", "/gold", "/phases/{id}/people"])
def test_a_name_of_one_word_stays_in_its_column(
    campaign: Row, page: Page, sign_in: Callable[[str], None], address: str
) -> None:
    def rename(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(
            response=answer, json=answer.json() | {"results": [row | IN_ONE_WORD for row in answer.json()["results"]]}
        )

    sign_in("alma")
    page.route(re.compile(r"/api/(people|gold|phases/[^/]+/members)/(\?|$)"), rename)
    page.goto(address.format(id=campaign["id"]))
    cell = page.get_by_role("cell").filter(has_text=ONE_WORD).first
    expect(cell).to_be_visible()
    assert cell.evaluate("it => it.scrollWidth <= it.clientWidth && it.nextSibling.offsetLeft < it.offsetLeft + 260")
    problem = page.get_by_role("row").nth(1).get_by_role("cell").first
    assert problem.evaluate("it => it.scrollWidth <= it.clientWidth")


def test_the_drawers_of_admins(world: World, campaign: Row, page: Page, sign_in: Callable[[str], None]) -> None:
    sign_in("alma")
    for address, opener, text in (
        ("/labellings", "Open the labelling", "Step 1"),
        ("/people", "Open ada", "Days worked"),
        ("/people", "Invite", "Create link"),
    ):
        go(page, address)
        page.get_by_role("button", name=opener).or_(page.get_by_role("link", name=opener)).first.click()
        expect(page.get_by_role("dialog").get_by_text(text).first).to_be_visible()
        check(page, f"{address}: {opener}")
    go(page, "/people")
    page.get_by_label("From", exact=True).fill("2026-03-02")
    page.get_by_label("To", exact=True).fill("2026-03-01")
    expect(page.get_by_text("This is before the first day.")).to_be_visible()
    check(page, "a field with an error")
    go(page, f"/phases/{campaign['id']}")
    page.get_by_role("button", name="Tasks").click()
    page.get_by_role("button", name="Add tasks").click()
    expect(page.get_by_label("Words in the problem")).to_be_visible()
    check(page, "the tasks of a round")


def test_the_pages_of_ml_staff(world: World, labels: Row, page: Page, sign_in: Callable[[str], None]) -> None:
    training = world.finish(
        "training-runs", name=LONG_NAME, base=world.base, phase=labels["id"], settings={"epochs": 1}
    )
    model = training["reward_model"]
    world.score(model)
    reason = {"reason": "A test of its page.", "is_override": True}
    world.ml_staff.call("POST", f"reward-models/{model}/promote/", reason)
    chosen = world.finish("selections", phase=labels["id"], reward_model=model, policy="convincing", size=5)
    pages = {
        "/phases": "Whole solutions",  # the labelled phase may be on a later page
        f"/phases/{labels['id']}": "Results by round",
        f"/selections/{chosen['id']}": "Rank 5",
        f"/models/{model}": "On the same held-out labels",
        **OF_ML_STAFF,
    }
    sign_in("mika")
    check_all(page, pages)
    page.get_by_label("Problem").fill("What is $2 + 3$?")
    page.get_by_label("Solution 1").fill("It is $2 + 3$.\n\nSo it is 6.")
    page.get_by_label("Reward model").select_option(model)  # those of other tests may be there, too
    page.get_by_role("button", name="Judge").click()
    expect(page.get_by_text("First suspect step")).to_be_visible()
    check(page, "a judgement")
    page.evaluate("history.pushState(null, '', '/nowhere')")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    check(page, "no page")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("User name")).to_be_visible()
    sign_in("alma")  # experts alone look again
    page.goto("/second-looks")
    expect(page.get_by_text("How is the last step?")).to_be_visible()
    check(page, "a second look")


def test_an_invitation(world: World, window: Window) -> None:
    page = window(may_err=True)  # the browser says that a link which is over was not found
    body = {"role": "annotator", "days": 7}
    secret = world.admin.call("POST", "invitations/", body)["secret"]
    page.goto(f"/invite/{secret}")
    expect(page.get_by_role("button", name="Create account")).to_be_visible()
    check(page, "an invitation")
    page.goto("/invite/over")
    expect(page.get_by_text("It was used or revoked")).to_be_visible()
    check(page, "an invitation that is over")


def test_own_differences(world: World, campaign: Row, page: Page, sign_in: Callable[[str], None]) -> None:
    world.admin.call("POST", "people/", {"username": "dora", "password": PASSWORD})
    phase = world.new_phase(
        "Differences", ["dora"], sources=SOURCES, gold_set="looked at", gold_rate=1, shows_gold=True
    )
    world.publish(phase, policy="uniform", size=20)
    with closing(Client(world.product.address, "dora", PASSWORD)) as dora:
        claim = dora.call("POST", f"phases/{phase['id']}/claim/")
        while task := claim["assignment"]:
            claim = dora.call("POST", f"assignments/{task['id']}/submit/", submission([-1]))["next"]
    world.close_round(phase)
    sign_in("dora")
    page.goto(f"/label/{phase['id']}/differences")
    expect(page.get_by_text("Experts").first).to_be_visible()
    check(page, "own differences")
