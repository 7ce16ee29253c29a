"""Answers of the server that come late, in any order, move no control that can already be clicked. Nothing is hidden
once they are there, each page has a title, and none is wider than a phone, however long its names are.
"""

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Window
from tests.product import world as worlds
from tests.product.world import World

pytestmark = pytest.mark.browser
# Answers come 100 ms after one another: in the order in which they were asked for, or with the first one last. A
# control that was visible before a change of the page and is more than 4 px up or down after it is noted.
LATE = """
const real = window.fetch;
let asked;
let before;
window.underWay = 0;
window.begin = () => {
  asked = 0;
  before = new Map();
  window.moved = [];
};
window.begin();
window.fetch = async (...request) => {
  window.underWay += 1;
  asked += 1;
  const late = performance.now() + (isReversed ? Math.max(0, 10 - asked) : asked) * 100;
  try {
    const answer = await real(...request);
    await new Promise((done) => setTimeout(done, late - performance.now()));
    return answer;
  } finally {
    setTimeout(() => { window.underWay -= 1; }, 100);
  }
};
let isDue = false;
window.look = () => {
  isDue = false;
  const now = new Map();
  for (const each of document.querySelectorAll("main :is(button, a, input, select, textarea, summary)")) {
    if (!each.checkVisibility({ visibilityProperty: true })) continue;
    now.set(each, each.getBoundingClientRect().y + scrollY);
    const by = now.get(each) - (before.get(each) ?? now.get(each));
    const name = each.ariaLabel || each.textContent || each.labels?.[0]?.textContent || each.name;
    if (Math.abs(by) > 4) window.moved.push(`${each.tagName} ${name} ${Math.round(by)} px`);
  }
  before = now;
};
window.changedAt = 0;
new MutationObserver(() => {
  window.changedAt = performance.now();
  if (!isDue) requestAnimationFrame(window.look);
  isDue = true;
}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
"""
WRONG = """
() => {
  window.look(); // what moved by an animation
  const { scrollWidth, clientWidth } = document.documentElement;
  const wide = scrollWidth > clientWidth ? [`is ${scrollWidth} px wide`] : [];
  const isHidden = (each) => each.checkVisibility() && !each.checkVisibility({ visibilityProperty: true });
  const hidden = [...document.querySelectorAll("main *:not([aria-hidden] *)")]
    .filter((each) => isHidden(each) && each.textContent)
    .slice(0, 1) // the first contains others
    .map((each) => `never shows ${each.textContent}`);
  const title = document.title.includes(" · ") ? [] : ["has no title"];
  return [...window.moved, ...wide, ...hidden, ...title];
}
"""
LONG = "A name as long as names may be, which says what was learned and from which labels, and at what rate"
WINDOWS = [(1280, False), (390, True)]  # px wide; whether the first answer comes last
FOLLOWING = (1280, True)  # as if somebody followed a link from page to page
POLLED_MS = 50  # asked in each frame, as by default, the windows would draw all the time
LINKED = {
    *("/adjudication/{}", "/data-releases/new", "/gold/label", "/labellings/{}", "/models/{}"),
    *("/people/{}", "/pool/{}", "/runs/{}", "/selections/{}", "/training/clone/{}"),
}
FOLLOW = """
async (address) => {
  history.pushState(null, "", address);
  window.begin();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}
"""
# A part of a page whose code is under way shows nothing yet; React shows it 300 ms after the page at the earliest.
AT_REST = """
() => window.underWay === 0 && document.querySelector("main h1") && !document.querySelector("[data-waiting]")
  && performance.now() - window.changedAt > 400
"""
# Where people see that they are; a page that is left stays until the next one's code has been fetched.
PLACE = """
[document.title, ...[...document.querySelectorAll("nav [aria-current]")].map((each) => each.innerText)].join(" > ")
"""


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with worlds.running(tmp_path) as world:
        yield world


def test_no_control_moves_while_its_page_is_filled(
    world: World, page: Page, window: Window, sign_in: Callable[[str], None]
) -> None:
    labels = world.labelled_phase(LONG, size=20)
    running = world.new_phase("W" * 100)  # between which pages let people choose
    world.publish(running, policy="uniform", size=20)
    assert list(islice(world.label(world.people["ada"], running), 3))
    assert world.ended("training-runs", world.train(LONG))["status"] == "done"
    sign_in("root")
    pages = [*_pages(page), *_tabs(page, f"/phases/{labels['id']}")]
    wrong = _sweep(page, window, pages)
    assert {_kind(address) for address in pages} >= LINKED
    page.context.clear_cookies()
    sign_in("ada")
    own = ["/", "/account", *(f"/label/{phase['id']}" for phase in (running, labels))]
    wrong += _sweep(page, window, own)
    page.context.clear_cookies()
    wrong += _sweep(page, window, ["/", "/sign-in"])
    assert not wrong, "\n".join(wrong)


def _sweep(page: Page, window: Window, addresses: list[str]) -> list[str]:
    """Opens the pages, and one of each kind that they link to, which it adds. Returns what is wrong with them."""
    found, seen = list[str](), {_kind(address) for address in addresses}
    windows = [_late(page, window, width, is_reversed) for width, is_reversed in WINDOWS]
    following = _late(page, window, *FOLLOWING)
    following.goto(addresses[-1])
    for address in addresses:
        for each in windows:  # side by side: they wait most of the time
            each.goto(address, wait_until="commit")
        following.evaluate(FOLLOW, address)
        found += [f"{address} at {each.viewport_size}: {what}" for each in windows for what in _wrong(each)]
        place = windows[0].evaluate(f"() => {PLACE}")
        following.wait_for_function(f"(place) => {PLACE} === place", arg=place, polling=POLLED_MS)
        found += [f"{address} by a link: {what}" for what in _wrong(following)]
        for each in [*windows, following]:
            for link in each.locator("main a:not([download])").evaluate_all("all => all.map(each => each.pathname)"):
                if _kind(link) not in seen:
                    seen.add(_kind(link))
                    addresses.append(link)
    for each in [*windows, following]:
        each.close()
    return found


def _wrong(window: Page) -> list[str]:
    """Waits until the page is at rest. Returns what moved, is hidden for good, too wide, or lacks its title."""
    window.wait_for_function(AT_REST, polling=POLLED_MS)
    return list(map(str, window.evaluate(WRONG)))


def _kind(address: str) -> str:
    return re.sub("(/adjudication/).*|[0-9a-f-]{36}", r"\1{}", address.partition("?")[0])


def _late(page: Page, window: Window, width: int, is_reversed: bool) -> Page:
    """Opens a window of another device, where the same person is signed in; its answers are delayed. (Of one device,
    a single tab labels a phase.)"""
    late = window(storage_state=page.context.storage_state(), viewport={"width": width, "height": 844})
    late.add_init_script(f"const isReversed = {json.dumps(is_reversed)};{LATE}")
    return late


def _pages(page: Page) -> Iterator[str]:
    for group in _links(page, "Main"):
        page.goto(group)
        name = page.get_by_role("navigation", name="Main").locator("[aria-current]").inner_text()
        yield from _links(page, name) or [group]


def _tabs(page: Page, phase: str) -> Iterator[str]:
    page.goto(phase)
    expect(page.get_by_role("navigation", name="Parts of the phase")).to_be_visible()
    yield from _links(page, "Parts of the phase")


def _links(page: Page, navigation: str) -> list[str]:
    expect(page.get_by_role("navigation").last).to_be_visible()
    found = page.get_by_role("navigation", name=navigation).get_by_role("link")
    return [str(each.get_attribute("href")) for each in found.all()]
