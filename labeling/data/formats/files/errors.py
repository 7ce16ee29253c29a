"""Errors of a line, and of a whole file."""

from __future__ import annotations

import errno
from dataclasses import dataclass

from labeling.errors import DomainError


class Unreadable(DomainError, code="unreadable_file"):
    """The file holds no records that can be read. The message names what it is and what to do, in one sentence."""


class GivenUp(Exception):
    """The rest of the file, from this line on, is not worth reading."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"{reason}; the rest of the file was not read")
        self.line = line


@dataclass(frozen=True)
class LineError:
    """A line that was left out, counted from 1, and why."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


def is_of_the_disk(error: Exception) -> bool:
    """Returns whether the disk failed: errors of a file's content have no errno, or EINVAL (a negative offset)."""
    return isinstance(error, OSError) and error.errno not in {None, errno.EINVAL}
