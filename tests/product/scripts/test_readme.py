"""README's script goes once round the loop."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.product.words import texts
from tests.product.world import World

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


def test_its_script_runs(world: World, tmp_path: Path) -> None:
    (tmp_path / "solutions.jsonl").write_text(solutions())
    token = world.people["root"].call("POST", "tokens/", {"name": "README"})["secret"]
    code = script(URL=world.product.address, TOKEN=token, BASE=world.base)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False
    )
    assert (done.returncode, done.stdout) == (0, "Round 1 is open.\n"), done.stderr
    (phase,) = [each for each in world.admin.every("phases/") if each["name"] == "Mine"]
    rounds = {each["number"]: each for each in world.rounds(phase)}
    assert (rounds[0]["status"], rounds[0]["labellings_done"], rounds[1]["task_count"]) == ("closed", 100, 20)
