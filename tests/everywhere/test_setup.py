"""`make setup` without access to PyTorch's package index, and `make wheel` beside an older wheel."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.any_database
ROOT = Path(__file__).resolve().parents[2]
# Not as a part of another make.
OTHERS = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}


def test_the_wheel_is_the_only_one_and_has_no_module_of_an_older_one(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    python = tmp_path / ".venv" / "bin" / "python"
    for old in (python, tmp_path / "dist" / "stepmark-0.0.9-py3-none-any.whl", tmp_path / "build" / "lib" / "gone.py"):
        old.parent.mkdir(parents=True)
        old.touch(mode=0o755)
    python.write_text("#!/bin/sh\nmkdir -p dist\ntouch dist/stepmark-0.1.0-py3-none-any.whl\n")
    environment = {name: value for name, value in os.environ.items() if name not in OTHERS}
    subprocess.run(["make", "--assume-old=setup", "wheel"], cwd=tmp_path, env=environment, check=True)
    assert [path.name for path in tmp_path.glob("dist/*")] == ["stepmark-0.1.0-py3-none-any.whl"]
    assert not (tmp_path / "build").exists()


def test_setup_ends_in_a_sentence(tmp_path):
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    command = ["make", ".venv/.installed", "TORCH_INDEX_URL=http://127.0.0.1:9/"]
    others = {"PIP_FIND_LINKS", *OTHERS}  # without wheels of its own, in which pip would find PyTorch
    own = {name: value for name, value in os.environ.items() if name not in others} | {"PIP_CONFIG_FILE": os.devnull}
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    told, *of_make = done.stderr.splitlines()
    assert told.startswith(
        "PyTorch's package index http://127.0.0.1:9/ can't be reached. Name one that can, with make "
    )
    assert [line for line in of_make if not line.startswith("make: ***")] == []
