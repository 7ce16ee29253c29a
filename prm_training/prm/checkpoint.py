"""Files that are either whole or absent: training state, and model directories."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch


def save_state(path: Path, state: dict[str, Any]) -> None:
    """Write tensors and plain values to `path`; a reader sees the old file or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def load_state(path: Path) -> Any:
    """The state saved at `path`, or None where there is none. Loads no code, only tensors and plain values."""
    return torch.load(path, map_location="cpu", weights_only=True) if path.exists() else None


@contextmanager
def whole_directory(final: Path) -> Iterator[Path]:
    """Give a directory to fill, which takes the place of `final` when the block ends without an exception."""
    partial, old = final.with_name(final.name + ".partial"), final.with_name(final.name + ".old")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    yield partial
    shutil.rmtree(old, ignore_errors=True)
    if final.exists():
        final.rename(old)
    partial.rename(final)
    shutil.rmtree(old, ignore_errors=True)
