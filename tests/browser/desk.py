"""One annotator, their phase and their window, for tests of the workplace."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.product.world import Row, World, until
from tests.running.product import Client

MOST_TABS = 200


@dataclass
class Desk:
    """An annotator with a phase of their own, as the API shows it."""

    world: World
    name: str
    phase: Row
    client: Client

    @property
    def address(self) -> str:
        return f"/label/{self.phase['id']}"

    def change(self, **settings: Any) -> None:
        self.world.admin.call("PATCH", f"phases/{self.phase['id']}/settings/", settings)

    def in_hand(self) -> Row:
        assignment: Row = self.client.call("POST", f"phases/{self.phase['id']}/claim/")["assignment"]
        return assignment

    def draft(self) -> Row | None:
        draft: Row | None = self.in_hand()["draft"]
        return draft

    def submitted(self) -> list[Row]:
        """Returns the current labellings in full, oldest first, as an admin reads them."""
        rows = list(self.world.admin.every(f"labellings/?phase={self.phase['id']}"))
        return [self.world.admin.call("GET", f"labellings/{row['id']}/") for row in reversed(rows)]


def current(page: Page) -> Locator:
    """Returns the element that the next key rates: a step, a completion, a critique, or the progress."""
    return page.locator("main [aria-current]:visible")


def progress(page: Page, done: int) -> Locator:
    """Returns the text that counts the rated steps of the task in hand; the next task's is out of sight."""
    return page.get_by_text(f"{done} of 4 steps rated").filter(visible=True)


def go_to(page: Page, link: Locator) -> None:
    """Moves the focus to the link by Tab, as people do: what is still loading must not take it away."""
    expect(link).to_be_visible()
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if link.evaluate("link => link === document.activeElement"):
            return
    raise AssertionError(f"Tab never came to {link}")


def press(page: Page, key: str, then: str) -> None:
    """Presses a key and waits for its effect."""
    page.keyboard.press(key)
    expect(current(page)).to_contain_text(then)


def rate(page: Page, keys: str, first: int = 1) -> None:
    """Rates steps from step `first` on, one key each. The caller waits for the last one's effect."""
    for step, key in enumerate(keys, first):
        expect(current(page)).to_contain_text(f"Step {step}")
        page.keyboard.press(key)


def start(page: Page, button: str = "Start labelling") -> None:
    """Starts the first phase by Enter: its link has the focus."""
    expect(page.get_by_role("link", name=button)).to_be_focused()
    page.keyboard.press("Enter")
    expect(current(page)).to_be_focused()


def at_work(page: Page, desk: Desk) -> None:
    """Opens the desk's task and waits until it takes keys."""
    page.goto(desk.address)
    expect(current(page)).to_be_focused()


def see_two_ratings(page: Page) -> None:
    expect(current(page)).to_contain_text("Step 3")
    expect(progress(page, 2)).to_be_visible()
    expect(page.get_by_role("button", name="Step 1, rated Great")).to_be_visible()
    expect(page.get_by_role("button", name="Step 2, rated Okay")).to_be_visible()


def at_work_with_two_ahead(page: Page, desk: Desk) -> None:
    """Opens the desk's task and waits until the next two are loaded and no request is pending."""
    with page.expect_response(
        lambda reply: reply.url.endswith("/claim/") and '"ahead":2' in str(reply.request.post_data)
    ):
        at_work(page, desk)
    page.wait_for_load_state("networkidle")


DRAWN = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"""


def is_saved(page: Page) -> None:
    page.evaluate(DRAWN)  # the last change, which may not be marked as unsaved yet
    page.evaluate("dispatchEvent(new Event('pagehide'))")  # by itself, the page waits 15 seconds for more changes
    expect(page.get_by_text("Saved", exact=True)).to_be_visible()


def is_sent(page: Page) -> None:
    """Waits until the submission has arrived: the page goes on before that."""
    waiting = "Object.values(localStorage).filter((record) => record.includes('\"submission\":')).length"
    until(lambda: page.evaluate(waiting) == 0, "nothing waits to be sent")


def is_done(page: Page) -> None:
    expect(page.get_by_role("heading", name="All done here")).to_be_visible()
