"""Pauses the garbage collector in a block, or excludes objects loaded in a block for good."""

import gc
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from labeling.data.paused_gc import kept_for_good, paused_gc


@pytest.mark.parametrize("pausing", [paused_gc, kept_for_good])
def test_it_is_paused_in_the_block_only(pausing: Callable[[], AbstractContextManager[None]]) -> None:
    with pausing():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_disabled_collector_stays_disabled() -> None:
    gc.disable()
    try:
        with paused_gc():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_loaded_objects_are_never_searched() -> None:
    before = gc.get_freeze_count()
    with kept_for_good():
        loaded = [[number] for number in range(1000)]
    assert gc.get_freeze_count() >= before + len(loaded)


def test_a_failed_load_freezes_nothing() -> None:
    before = gc.get_freeze_count()
    with pytest.raises(ImportError), kept_for_good():
        raise ImportError
    assert gc.get_freeze_count() == before
    assert gc.isenabled()
