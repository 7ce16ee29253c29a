"""Records the code and the libraries that made a run."""

import platform
import shutil
import subprocess
from functools import cache
from importlib.metadata import version
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


@cache
def of_code() -> dict[str, str]:
    """The package's version and, in a checkout, its commit, with a + if files differ from it."""
    found = {"stepmark": version("stepmark"), "commit": commit(CHECKOUT), "python": platform.python_version()}
    return {name: value for name, value in found.items() if value}


def of_libraries(*names: str) -> dict[str, str]:
    return {name: version(name) for name in names}


def commit(folder: Path) -> str:
    """Returns the commit, as in `1a2b3c4d5e6f`, with a + if files differ; "" outside a checkout or without git."""
    git = shutil.which("git")
    if git is None or not (folder / ".git").exists():
        return ""
    ask = [git, "-C", str(folder), "describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=+"]
    try:
        done = subprocess.run(ask, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
