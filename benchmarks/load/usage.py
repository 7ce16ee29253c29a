"""Processor time and memory of a running program with all its processes."""

from collections.abc import Iterator
from contextlib import suppress

import psutil


class Usage:
    """From now on, of one process and of all its children, also of those that end."""

    def __init__(self, name: str, pid: int) -> None:
        self.name, self._process = name, psutil.Process(pid)
        self._before = self._cpu_seconds()

    def cpu_seconds(self) -> float:
        """User and system time together since it was made."""
        return self._cpu_seconds() - self._before

    def memory_mb(self) -> float:
        """What they have for themselves now, and their share of what they share."""
        return sum(process.memory_full_info().pss for process in self._processes()) / 2**20

    def _cpu_seconds(self) -> float:
        total = 0.0
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):
                total += sum(process.cpu_times()[:4])
        return total

    def _processes(self) -> Iterator[psutil.Process]:
        yield self._process
        yield from self._process.children(recursive=True)
