"""The garbage collector is paused in a block, and leaves out for good what was loaded in one."""

import gc
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from labeling.data.paused_gc import kept_for_good, paused_gc


@pytest.mark.parametrize("pausing", [paused_gc, kept_for_good])
def test_it_is_paused_in_the_block_alone(pausing: Callable[[], AbstractContextManager[None]]) -> None:
    with pausing():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_one_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with paused_gc():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_is_loaded_is_never_looked_through() -> None:
    before = gc.get_freeze_count()
    with kept_for_good():
        loaded = [[number] for number in range(1000)]
    assert gc.get_freeze_count() >= before + len(loaded)


def test_what_failed_to_load_is_garbage_as_any() -> None:
    before = gc.get_freeze_count()
    with pytest.raises(ImportError), kept_for_good():
        raise ImportError
    assert gc.get_freeze_count() == before
    assert gc.isenabled()
