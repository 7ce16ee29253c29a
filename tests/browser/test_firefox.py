"""An annotator's days in Firefox, by keyboard and on a phone; `firefox.mjs` plays them."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.browser.desk import Desk
from tests.product.words import PASSWORD

ROOT = Path(__file__).parents[2]
FIREFOX = os.environ.get("FIREFOX", "")
WITHIN_SECONDS = 300

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not FIREFOX, reason="FIREFOX names none; `make test` finds it")]


def play(journey: str, desk: Desk) -> None:
    script = Path(__file__).with_name("firefox.mjs")
    command = ["node", str(script), journey, FIREFOX, desk.world.product.address, desk.name, PASSWORD]
    subprocess.run(command, cwd=ROOT / "frontend", check=True, timeout=WITHIN_SECONDS)


@pytest.mark.desk(tasks=2)
def test_labels_in_firefox(desk: Desk) -> None:
    play("solutions", desk)
    first, second = desk.submitted()
    assert [row["rating"] for row in first["completions"]] == [0, -1]
    assert [event["rating"] for event in first["history"]] == [1, None, 0, -1]
    assert [row["rating"] for row in second["completions"]] == [1, 1, 1, 1]
    assert (first["finish_reason"], second["finish_reason"]) == ("found_error", "solution")


@pytest.mark.desk(kind="alternatives", tasks=1)
def test_chooses_in_firefox(desk: Desk) -> None:
    play("alternatives", desk)
    [labelling] = desk.submitted()
    steps = [[row for row in labelling["completions"] if row["step"] == step] for step in (0, 1)]
    assert [(row["rating"], row["is_chosen"]) for row in steps[0]] == [(1, False), (1, True)]
    own = steps[1][-1]
    assert (own["is_human"], own["is_chosen"], own["text"]) == (True, True, r"So there are $\boxed{36}$.")


@pytest.mark.desk(tasks=2)
def test_goes_on_offline_in_firefox(desk: Desk) -> None:
    play("offline", desk)
    assert [[row["rating"] for row in labelling["completions"]] for labelling in desk.submitted()] == [[1, -1], [-1]]


@pytest.mark.desk(tasks=2)
def test_labels_by_touch_in_firefox(desk: Desk) -> None:
    play("touch", desk)
    first, second = desk.submitted()
    assert [(row["rating"], row["note"]) for row in first["completions"]] == [
        (1, ""),
        (0, "Says the same again."),
        (-1, ""),
    ]
    assert [row["rating"] for row in second["completions"]] == [1, 1, 1, 1]
