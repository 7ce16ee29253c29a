"""Stores an experiment's results, which are committed, and its models, so that a stopped one resumes."""

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec

DIGITS = 4
DATA = Path("../shared/data")
Found = dict[str, Any]


@dataclass(frozen=True)
class Work:
    """Folders: `figures` holds a file for each part of an experiment, `data` public labels; `models` may be deleted."""

    figures: Path
    models: Path
    say: Callable[[str], None] = print
    data: Path = DATA

    def once(self, name: str, settings: Any, measure: Callable[[], Mapping[str, Any]]) -> Found:
        """Returns the stored result if it has these settings; else measures and stores it."""
        path = self.figures / f"{name.replace(', ', '-').replace(' ', '-')}.json"
        asked = msgspec.json.decode(msgspec.json.encode(asdict(settings)))
        known: Found = msgspec.json.decode(path.read_bytes()) if path.exists() else {}
        if known.get("settings") == asked:
            return known
        began = monotonic()
        figures = rounded(measure())
        found = {"settings": asked, "seconds": round(monotonic() - began), **figures}
        self.figures.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")  # another process may read it
        part.write_bytes(msgspec.json.encode(found) + b"\n")
        part.replace(path)
        return found


def rounded(figures: Any) -> Any:
    if isinstance(figures, float):
        return round(figures, DIGITS)
    if isinstance(figures, Mapping):
        return {name: rounded(each) for name, each in figures.items()}
    return [rounded(each) for each in figures] if isinstance(figures, list) else figures
