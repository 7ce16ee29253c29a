"""The API's reference, as a script's author reads it."""

import pytest
from playwright.sync_api import Browser, expect

from tests.product.world import World

pytestmark = pytest.mark.browser


def test_it_lists_and_finds_operations_without_network(chromium: Browser, world: World) -> None:
    with chromium.new_context(base_url=world.product.address) as context:
        page, errors = context.new_page(), list[str]()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto("/api/docs/")
        expect(page.get_by_role("heading", name="Adds gold for many solutions")).to_be_visible()
        page.get_by_placeholder("Search").fill("roll back")
        found = page.get_by_role("search").get_by_text("Makes the phase's previously current model current again")
        expect(found).to_be_visible()
        assert errors == []
