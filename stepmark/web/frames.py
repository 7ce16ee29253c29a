"""Room for Python's frames."""

from collections.abc import Callable
from typing import Any


def call_with_room(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls the function, and returns its result, where the frames of all calls below it are next to each other.

    Python up to 3.14 keeps frames in chunks of 16 KB, and gives a chunk back to the system when its first frame ends.
    Where a loop calls across the end of one, each call maps and unmaps memory (gh-142183): 8 % of the time of
    `tests/annotate`. This frame says that it needs 256 KB; its chunk is made twice as large, and the rest is for the
    calls.
    """
    return function(*arguments)


call_with_room.__code__ = call_with_room.__code__.replace(co_stacksize=1 << 15)
