"""README's script goes once round the loop, and `stepmark loop` goes on."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.product.words import texts
from tests.product.world import Row, World

pytestmark = [pytest.mark.product, pytest.mark.any_database]

README = Path(__file__).resolve().parents[3] / "README.md"
SETTINGS = re.compile(r"^URL, TOKEN, BASE = .*$", re.MULTILINE)


def script(**settings: str) -> str:
    (code,) = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    own = "; ".join(f"{name} = {value!r}" for name, value in settings.items())
    changed, times = SETTINGS.subn(lambda _: own, code)
    assert times == 1
    return changed


def solutions() -> str:
    """Returns solutions as JSON Lines, each with an answer that the grader can read."""
    records = [
        {
            "problem": f"{problem} Say it.",
            "reference_answer": str(attempts[0].answer),
            "generator": "a rule",
            "steps": [*each.steps, f"The answer is {each.answer}."],
        }
        for problem, attempts in texts()
        for each in attempts
    ]
    return "\n".join(map(json.dumps, records))


@pytest.fixture
def token(world: World) -> str:
    return str(world.people["root"].call("POST", "tokens/", {"name": "README"})["secret"])


@contextmanager
def heeding_interrupts() -> Iterator[None]:
    """Heeds Ctrl-C as in a terminal: a shell's background jobs, and so what they start, ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def rounds(world: World) -> dict[int, Row]:
    (phase,) = [each for each in world.admin.every("phases/") if each["name"] == "Mine"]
    return {each["number"]: each for each in world.rounds(phase)}


def test_its_script_runs_and_the_command_goes_on(world: World, token: str, tmp_path: Path) -> None:
    (tmp_path / "solutions.jsonl").write_text(solutions())
    own = os.environ | {"STEPMARK_URL": world.product.address, "STEPMARK_TOKEN": token}

    def run(*arguments: str) -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env=own,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr

    code = script(URL=world.product.address, TOKEN=token, BASE=world.base)
    assert run("-c", code)[0] == "Round 1 is open.\n"
    made = rounds(world)
    assert (made[0]["status"], made[0]["labellings_done"], made[1]["task_count"]) == ("closed", 100, 20)

    command = ["-m", "stepmark", "loop", "Mine", "--size", "5"]
    assert run(*command, "--now") == ("Round 2 is open.\n", "Close.\nSelect.\nPublish.\n")
    with (
        heeding_interrupts(),
        subprocess.Popen(
            [sys.executable, *command], cwd=tmp_path, env=own, stderr=subprocess.PIPE, text=True
        ) as waiting,
    ):
        assert waiting.stderr
        assert waiting.stderr.readline() == "Waiting for people to label.\n"
        waiting.send_signal(signal.SIGINT)
        assert waiting.stderr.read().splitlines()[-1].startswith("Interrupted.")
    assert (waiting.returncode, rounds(world)[2]["status"]) == (1, "open")
