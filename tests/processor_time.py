"""What an act costs, whatever else the machine does."""

from collections.abc import Callable
from time import process_time
from typing import Any


def processor_seconds(act: Callable[[], Any]) -> float:
    """The processor time that it takes in this process."""
    started_at = process_time()
    act()
    return process_time() - started_at
