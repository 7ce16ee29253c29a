"""A running product, desks for annotators, and Chromium. An error on a page fails its test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

from tests.browser.desk import Desk
from tests.generator import Generator
from tests.product import world as worlds
from tests.product.words import PASSWORD
from tests.product.world import Row, World
from tests.running.browsers import CHROMIUM
from tests.running.product import Client

OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
OPTIONS += ["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]
EXPECTED = ("ERR_INTERNET_DISCONNECTED", "Service Worker registration blocked by Playwright")
WITHIN_MS = 60_000  # what a page does by itself, on a machine with much else to do
expect.set_options(timeout=WITHIN_MS)
Window = Callable[..., Page]


@pytest.fixture(scope="session")
def running_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder: Path = tmp_path_factory.mktemp("browser")
    with worlds.running(folder) as world:
        yield world


@pytest.fixture
def world(running_world: World) -> World:
    """The running product, with a worker."""
    if not running_world.is_up():
        running_world.product.start()
    return running_world


@pytest.fixture(scope="session")
def labels(running_world: World) -> Row:
    """A phase of ben's with a labelled and closed round."""
    return running_world.labelled_phase(
        "Labelled_by_one_person_and_called_by_one_word_wider_than_a_phone", ["ben"], size=20
    )


@pytest.fixture(scope="session")
def desks(running_world: World, request: pytest.FixtureRequest) -> dict[str, Row]:
    """The phases of all desks that this run's tests request, made at once, by name."""
    marks = {_name(item): item.get_closest_marker("desk") for item in request.session.items}
    wanted = {name: mark.kwargs for name, mark in marks.items() if mark}
    make = f"from tests.product import seed; seed.make_desks({wanted!r})"
    running_world.product.shell(make)
    return {phase["name"]: phase for phase in running_world.admin.every("phases/")}


@pytest.fixture
def desk(world: World, desks: dict[str, Row], request: pytest.FixtureRequest) -> Iterator[Desk]:
    """The desk that the test's mark describes; its person is named like the test."""
    name = _name(request.node)
    client = Client(world.product.address, name, PASSWORD)
    yield Desk(world, name, desks[name], client)
    client.close()


def _name(item: Any) -> str:
    return str(item.name).removeprefix("test_").translate({ord("["): "-", ord("]"): None})


@pytest.fixture
def generator() -> Iterator[Generator]:
    running = Generator()
    yield running
    running.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.skip(f"there is no {CHROMIUM} (CHROMIUM names another)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def window(chromium: Browser, world: World) -> Iterator[Window]:
    """Opens fresh windows, each a device of its own, signed in if a desk is given. Fails on an error in a console, or a
    request to anywhere else. Without `service_workers="allow"` nothing is stored for a reload."""
    contexts, wrongs = list[BrowserContext](), list[str]()

    def open_(desk: Desk | None = None, *, may_err: bool = False, **options: Any) -> Page:
        viewport = {"width": 1280, "height": 900}
        size = {"base_url": world.product.address, "locale": "en-GB", "viewport": viewport, "service_workers": "block"}
        contexts.append(context := chromium.new_context(**(size | options)))
        context.set_default_timeout(WITHIN_MS)
        context.on("page", lambda page: _watch(page, world.product.address, [] if may_err else wrongs))
        if desk:
            context.add_cookies(
                [
                    {"name": name, "value": value, "url": world.product.address}
                    for name, value in desk.client.cookies.items()
                ]
            )
        return context.new_page()

    yield open_
    for context in contexts:
        context.close()
    assert wrongs == []


def _watch(page: Page, address: str, wrongs: list[str]) -> None:
    def hear(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not any(said in message.text for said in EXPECTED):
            wrongs.append(f"console {message.type}: {message.text} {message.location}")

    def see(request: Request) -> None:
        if not request.url.startswith((address, "data:", "blob:")):
            wrongs.append(f"request to {request.url}")

    page.on("console", hear)
    page.on("pageerror", lambda error: wrongs.append(f"page error: {error}"))
    page.on("dialog", lambda dialog: wrongs.append(f"dialog: {dialog.message}"))
    page.on("request", see)


@pytest.fixture
def page(window: Window) -> Page:
    """A window in which nobody is signed in."""
    return window()


@pytest.fixture
def sign_in(page: Page) -> Callable[[str], Any]:
    """Signs in by keyboard; the page has to place the cursor."""

    def as_(username: str) -> None:
        page.goto("/")
        expect(page.get_by_label("User name")).to_be_focused()
        page.keyboard.type(username)
        page.keyboard.press("Tab")
        page.keyboard.type(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()

    return as_
