"""The library stands by itself: it is imported and trains without Django, settings or a data folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ALONE = """
import sys
from prm_training.prm import train, score, __main__ as command_line
from prm_training.prm.trees.data import Completion, LabelledTree, Step
trees = [LabelledTree(str(n), str(n), "train", f"{n} + 1?", (Step((Completion("We add.", 1),), 0),)) for n in range(3)]
report = train.train(trees, sys.argv[1], "run", train.TrainConfig(epochs=1))
assert report.train.labels == 3
others = {"django", "rest_framework", "celery", "kombu", "redis", "psycopg", "environ", "stepmark"}
assert not others & {name.partition(".")[0] for name in sys.modules}
"""


@pytest.mark.long("a process that imports torch")
def test_it_trains_without_django(base: Path, tmp_path: Path) -> None:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("DJANGO", "STEPMARK"))}
    command = [sys.executable, "-c", ALONE, str(base)]
    own |= {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir() if path.name != ".cache"] == ["run"]
