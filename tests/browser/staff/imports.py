"""Imports files through the browser, as an admin."""

import re
from pathlib import Path

from playwright.sync_api import FilePayload, Page, expect

WHILE_IT_WORKS = 600_000  # a cold worker loads torch first


def upload(page: Page, file: Path | FilePayload) -> None:
    """Uploads a file and waits for its page."""
    page.goto("/import")
    page.get_by_label("File").set_input_files(file)
    expect(page.get_by_role("heading", name="How it is read")).to_be_visible()


def confirm(page: Page) -> None:
    """Waits until the whole file is inspected, and confirms the import."""
    button = page.get_by_role("button", name=re.compile("^Import "))
    button.click(timeout=WHILE_IT_WORKS)
    expect(page.get_by_role("heading", name="What was imported")).to_be_visible()
    expect(page.get_by_role("main").get_by_text("Done", exact=True)).to_be_visible(timeout=WHILE_IT_WORKS)


def import_file(page: Page, file: Path | FilePayload, *, source: str = "") -> None:
    upload(page, file)
    if source:
        page.get_by_label("Source").fill(source)
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=f"into “{source}”")).to_be_visible(timeout=WHILE_IT_WORKS)
    confirm(page)
