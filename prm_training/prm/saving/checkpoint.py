"""Writes files that are either whole or absent: training states and model directories. Only the main process writes."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import torch

from prm_training.prm import parallel


def save_state(path: Path, state: dict[str, Any]) -> None:
    """Write tensors and plain values to `path`; a reader sees the old file or the new one, never a part."""
    if parallel.state().is_main_process:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".partial")
        with partial.open("wb") as file:
            _save(state, file)
            file.flush()
            # On disk before it gets its name: after a power cut there is the old state or the new one, not an empty
            # file.
            os.fsync(file.fileno())
        partial.replace(path)


def _save(state: dict[str, Any], file: IO[bytes]) -> None:
    """Saves the state. Raises the file's own error, such as a full disk's, where torch would hide it behind its own."""
    try:
        torch.save(state, file)
    except RuntimeError as error:
        if isinstance(error.__context__, OSError):
            raise error.__context__ from None
        raise


def load_state(path: Path) -> Any:
    """The state saved at `path`, or None where there is none. Loads no code, only tensors and plain values."""
    return torch.load(path, map_location="cpu", weights_only=True) if path.exists() else None


def save_model(final: Path, *parts: Any, also: Callable[[Path], None] | None = None) -> None:
    """Write everything with a `save_pretrained` (a network, its tokenizer), and what `also` writes, to a directory that
    replaces `final` once it is whole; no process returns before that.
    """
    if parallel.state().is_main_process:
        partial, old = (final.with_name(final.name + ending) for ending in (".partial", ".old"))
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        for part in parts:
            part.save_pretrained(partial)
        if also:
            also(partial)
        shutil.rmtree(old, ignore_errors=True)
        # A directory can't be replaced in one step: the old one is moved away first. A run that is killed in between
        # finds none, and writes it again.
        if final.exists():
            final.rename(old)
        partial.rename(final)
        shutil.rmtree(old, ignore_errors=True)
    parallel.state().wait_for_everyone()
