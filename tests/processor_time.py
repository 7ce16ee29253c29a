"""Measures an act's cost, independent of other programs."""

from collections.abc import Callable
from time import process_time
from typing import Any


def processor_seconds(act: Callable[[], Any]) -> float:
    """Returns the processor time that the act takes in this process."""
    started_at = process_time()
    act()
    return process_time() - started_at
