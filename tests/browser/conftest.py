"""A product with two labelled rounds behind it, and Chromium to look at it. A page that errs fails its test."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

from tests.product import world as worlds
from tests.product.words import PASSWORD
from tests.product.world import Row, World

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
OPTIONS += ["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def running_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder: Path = tmp_path_factory.mktemp("browser")
    with worlds.running(folder) as world:
        yield world


@pytest.fixture
def world(running_world: World) -> World:
    """The product, up, with a worker."""
    if not running_world.is_up():
        running_world.product.start()
    return running_world


@pytest.fixture(scope="session")
def labels(running_world: World) -> Row:
    """A phase of ben's with a labelled and closed round."""
    phase = running_world.new_phase("Labelled", ["ben"])
    running_world.publish(phase, policy="uniform", size=20)
    list(running_world.label(running_world.people["ben"], phase))
    running_world.close_round(phase)
    return phase


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.skip(f"there is no {CHROMIUM} (CHROMIUM names another)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser, world: World) -> Iterator[Page]:
    """A fresh browser window. At the end of the test: no error in its console, no request to anywhere else."""
    context = chromium.new_context(
        base_url=world.product.address, locale="en-GB", viewport={"width": 1280, "height": 900}
    )
    context.set_default_timeout(20_000)
    page, wrongs = context.new_page(), list[str]()

    def hear(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            wrongs.append(f"console {message.type}: {message.text} {message.location}")

    def watch(request: Request) -> None:
        if not request.url.startswith((world.product.address, "data:", "blob:")):
            wrongs.append(f"request to {request.url}")

    page.on("console", hear)
    page.on("pageerror", lambda error: wrongs.append(f"page error: {error}"))
    page.on("dialog", lambda dialog: wrongs.append(f"dialog: {dialog.message}"))
    page.on("request", watch)
    yield page
    context.close()
    assert wrongs == []


@pytest.fixture
def sign_in(page: Page) -> Callable[[str], Any]:
    """Signs in by keyboard, as the page puts the cursor where it belongs."""

    def as_(username: str) -> None:
        page.goto("/")
        expect(page.get_by_label("User name")).to_be_focused()
        page.keyboard.type(username)
        page.keyboard.press("Tab")
        page.keyboard.type(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Sign out")).to_be_visible()

    return as_
