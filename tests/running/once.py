"""Makes what takes seconds and is always the same: once for all parts of `make test`, else once for each process."""

import fcntl
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory


@cache
def _own_folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="stepmark-once-")


def made_once(name: str, make: Callable[[Path], object]) -> Path:
    """Returns the file or folder of this name, which `make` has made. Nobody may change it."""
    place = Path(os.environ.get("MADE_ONCE") or _own_folder().name) / name
    with place.with_name(f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.exists():
            part = place.with_name(f"{name}.part")
            make(part)
            part.rename(place)
    return place
