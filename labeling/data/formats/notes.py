"""Counts what reading changed, guessed or left out, to be reported to whoever gave the file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

LINES_KEPT = 5


class Notes:
    """Counts events by kind, such as “empty steps dropped”, each with the first lines on which it occurred.

    `keep_image` is called with the SHA-256 and bytes of each image; in a dry run it does nothing. `has_ratings` returns
    whether there is a -1 among the labels of the whole file, and is called only where that matters.
    """

    def __init__(self, line: int = 0) -> None:
        self.line = line  # of the record that is being parsed
        self.keep_image: Callable[[str, bytes], None] = lambda digest, content: None
        self.has_ratings: Callable[[], bool] = lambda: False
        self._counts = defaultdict[str, int](int)
        self._lines = defaultdict[str, list[int]](list)

    def add(self, what: str, many: int = 1, *, line: int = 0) -> None:
        """Counts an event, by default on the line of the record that is being parsed."""
        lines, line = self._lines[what], line or self.line
        self._counts[what] += many
        if line and len(lines) < LINES_KEPT and line not in lines:
            lines.append(line)

    def clear(self) -> None:
        """Forgets all counts, for another reading of the same file."""
        self.line = 0
        self._counts.clear()
        self._lines.clear()

    def __contains__(self, what: object) -> bool:
        return what in self._counts

    def __iter__(self) -> Iterator[tuple[str, int, list[int]]]:
        """Yields each kind of note, how often it occurred, and its first lines."""
        return ((what, many, self._lines[what]) for what, many in self._counts.items())

    def __str__(self) -> str:
        return " ".join(
            f"{what}: {many:,}{f' (line {lines[0]})' if len(lines) == 1 else ''}." for what, many, lines in self
        )
