"""`make setup` where PyTorch's package index can't be reached."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.any_database
ROOT = Path(__file__).resolve().parents[2]


def test_it_ends_in_a_sentence(tmp_path):
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    command = ["make", ".venv/.installed", "TORCH_INDEX_URL=http://127.0.0.1:9/"]
    # Without wheels of its own, in which pip would find PyTorch; and not as a part of another make.
    others = {"PIP_FIND_LINKS", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
    own = {name: value for name, value in os.environ.items() if name not in others} | {"PIP_CONFIG_FILE": os.devnull}
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    told, *of_make = done.stderr.splitlines()
    assert told.startswith(
        "PyTorch's package index http://127.0.0.1:9/ can't be reached. Name one that can, with make "
    )
    assert [line for line in of_make if not line.startswith("make: ***")] == []
