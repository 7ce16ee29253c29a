"""Logits that were computed before, in a file: a pool is scored once per model, however often it is asked for."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

import torch
from torch import Tensor

from prm_training.prm.encoding import Segments
from prm_training.prm.model import RewardModel


class ScoreCache:
    """Safe to share between processes. Raises sqlite3.Error for a file that is no database."""

    def __init__(self, path: str | Path) -> None:
        self._database = sqlite3.connect(path, timeout=60)
        self._database.execute("CREATE TABLE IF NOT EXISTS logits (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")

    def find(self, model: bytes, paths: Iterable[Segments]) -> dict[Segments, Tensor]:
        """(steps, 3) fp32 of each path that is there; `model` is a fingerprint."""
        sought = "SELECT value FROM logits WHERE key = ?"
        rows = ((path, self._database.execute(sought, (_key(model, path),)).fetchone()) for path in paths)
        return {path: torch.frombuffer(bytearray(row[0]), dtype=torch.float32).view(-1, 3) for path, row in rows if row}

    def keep(self, model: bytes, found: Mapping[Segments, Tensor]) -> None:
        """Add (steps, 3) fp32 logits."""
        rows = [(_key(model, path), logits.numpy().tobytes()) for path, logits in found.items() if len(logits)]
        with self._database:
            self._database.executemany("INSERT OR IGNORE INTO logits VALUES (?, ?)", rows)


def fingerprint(model: RewardModel, precision: str) -> bytes:
    """Equal for equal weights, architecture and precision, wherever the model lies."""
    found = hashlib.sha256(f"{precision} {model.network.config.to_json_string()}".encode())
    for name, tensor in sorted(model.network.state_dict().items()):
        found.update(name.encode())
        found.update(tensor.cpu().flatten().view(torch.uint8).numpy())
    return found.digest()


def _key(model: bytes, path: Segments) -> bytes:
    """The token ids say what the text is and how it was encoded."""
    return hashlib.sha256(model + repr(path).encode()).digest()
