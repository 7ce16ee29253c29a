"""Frames of Python calls."""

import resource
import sys
from collections.abc import Callable

import pytest

from stepmark.web.frames import call_with_room

pytestmark = pytest.mark.any_database
CALLS = 400


def called_often(depth: int) -> None:
    """Calls a function many times, as many frames deep."""
    if depth:
        return called_often(depth - 1)
    for _ in range(CALLS):
        round_trip()
    return None


def round_trip() -> None:
    pass


def pages_touched(call: Callable[[], object]) -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    call()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


@pytest.mark.skipif(sys.platform != "linux", reason="counts pages as Linux does")
def test_no_depth_of_calls_touches_new_memory_again_and_again():
    worst = max(pages_touched(lambda d=depth: call_with_room(called_often, d)) for depth in range(200))
    assert worst < CALLS


def test_arguments_and_result_pass():
    assert call_with_room(max, 1, 2) == 2
