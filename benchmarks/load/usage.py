"""Processor time and memory of a running program with all its processes."""

from collections.abc import Iterator
from contextlib import suppress

import psutil


class Usage:
    """Usage from now on by one process and all its children, ended ones included."""

    def __init__(self, name: str, pid: int) -> None:
        self.name, self._process = name, psutil.Process(pid)
        self._before = self._cpu_seconds()

    def cpu_seconds(self) -> float:
        """Returns user plus system time since the start of the measurement."""
        return self._cpu_seconds() - self._before

    def memory_mb(self) -> float:
        """Returns the proportional set size of all of them, now."""
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
