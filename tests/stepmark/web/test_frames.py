"""stepmark.web.frames: room for the frames of Python calls."""

import resource
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from stepmark.web.frames import call_with_room

pytestmark = pytest.mark.any_database
CALLS, DEPTHS = 400, 400  # of which one ends where a chunk does
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="counts pages as Linux does")


def called_often(depth: int) -> None:
    """Calls a function many times, this many frames deep."""
    if depth:
        return called_often(depth - 1)
    for _ in range(CALLS):
        round_trip()
    return None


def round_trip() -> None:
    pass


def pages_touched(call: Callable[[int], object]) -> int:
    """Returns the number of pages that are newly mapped at the worst depth."""
    return max(_pages_touched(call, depth) for depth in range(DEPTHS))


def _pages_touched(call: Callable[[int], object], depth: int) -> int:
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    call(depth)
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before


def in_a_thread(call: Callable[[int], object]) -> int:
    """Counts in a new thread, since the tests' own has room already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(pages_touched, call).result()


@linux_only
def test_no_depth_of_calls_touches_new_memory_again_and_again():
    assert in_a_thread(lambda depth: call_with_room(called_often, depth)) < CALLS


@linux_only
@pytest.mark.skipif(sys.version_info >= (3, 15), reason="Python has room of its own")
def test_without_room_some_depth_touches_new_memory_again_and_again():
    assert in_a_thread(called_often) >= CALLS


def test_arguments_and_result_pass():
    assert call_with_room(max, 1, 2) == 2
