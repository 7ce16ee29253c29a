"""An annotator's day in Firefox, by keyboard; `firefox.mjs` plays it."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.browser.desk import Desk
from tests.product.words import PASSWORD

ROOT = Path(__file__).parents[2]
FIREFOX = os.environ.get("FIREFOX", "")
WITHIN_SECONDS = 300

pytestmark = pytest.mark.browser


@pytest.mark.desk(tasks=2)
@pytest.mark.skipif(not FIREFOX, reason="FIREFOX names none; `make test` finds it")
def test_labels_in_firefox(desk: Desk) -> None:
    script = Path(__file__).with_name("firefox.mjs")
    command = ["node", script, FIREFOX, desk.world.product.address, desk.name, PASSWORD]
    subprocess.run(command, cwd=ROOT / "frontend", check=True, timeout=WITHIN_SECONDS)

    first, second = desk.submitted()
    assert [row["rating"] for row in first["completions"]] == [0, -1]
    assert [event["rating"] for event in first["history"]] == [1, None, 0, -1]
    assert [row["rating"] for row in second["completions"]] == [1, 1, 1, 1]
    assert (first["finish_reason"], second["finish_reason"]) == ("found_error", "solution")
