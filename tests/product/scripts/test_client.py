"""The Python client on the running product: its notebook, and the loop with await."""

import asyncio
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from stepmark.client import AsyncClient
from tests.product.words import judge
from tests.product.world import Row, World

pytestmark = [pytest.mark.product, pytest.mark.any_database]

NOTEBOOK = Path(__file__).resolve().parents[3] / "docs" / "client.ipynb"


@pytest.fixture
def secret(world: World, request: pytest.FixtureRequest) -> str:
    return str(world.people["root"].call("POST", "tokens/", {"name": request.node.name})["secret"])


def cells() -> list[dict[str, Any]]:
    notebook = json.loads(NOTEBOOK.read_text())
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def is_runnable(cell: dict[str, Any]) -> bool:
    """Returns whether the library is installed that the cell needs, if any."""
    return find_spec(cell["metadata"].get("needs", "json")) is not None


def test_the_notebook_runs(world: World, secret: str, tmp_path: Path) -> None:
    code = "\n\n".join("".join(cell["source"]) for cell in cells() if is_runnable(cell))
    own = {"STEPMARK_URL": world.product.address, "STEPMARK_TOKEN": secret}
    code = code.replace('base=""', f"base={world.base!r}")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=os.environ | own, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\{'name': \[.*\]\} [0-9a-f]{12}$", done.stdout, re.MULTILINE), "the last refusal"
    (phase,) = [each for each in world.admin.every("phases/") if each["name"] == "Notebook"]
    (round_,) = world.rounds(phase)
    assert (round_["status"], round_["labellings_done"]) == ("closed", 40)


def test_the_loop_goes_round_with_await(world: World, secret: str) -> None:
    async def label(client: AsyncClient, phase: Row) -> int:
        task, number = await client.claim(phase), 0
        while task:
            task, number = await client.submit(task, judge(task["solution"]["steps"])), number + 1
        return number

    async def loop() -> tuple[int, int, int]:
        async with AsyncClient(world.product.address, secret) as client:
            phase = await client.create_phase("With await", shared_rate=0)
            await client.add_members(phase, (await client.me())["username"])
            uniform = await (await client.run("selections", phase=phase, policy="uniform", size=20)).wait(every=0.1)
            first = await (await client.publish(uniform)).wait(every=0.1)
            labelled = await label(client, phase)
            await client.close_round(first["round"])
            training = await client.run("training-runs", name="await", base=world.base, phase=phase)
            model = (await training.wait(every=0.1))["reward_model"]
            await (await client.run("scoring-runs", reward_model=model, phase=phase)).wait(every=0.1)
            chosen = await (await client.run("selections", phase=phase, reward_model=model, size=5)).wait(every=0.1)
            second = await (await client.publish(chosen)).wait(every=0.1)
            records = [record async for record in client.labels(phase=phase)]
            return labelled, len(records), second["round"]["number"]

    assert asyncio.run(loop()) == (20, 20, 1)
