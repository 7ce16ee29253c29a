"""Lists tests that take over two seconds of processor time, their processes included, at the end of a run.

Processor time does not depend on other programs, unlike wall time. `@pytest.mark.long("why")` allows a test more.
"""

import gc
import os
import sys
from collections.abc import Generator
from typing import Any

import pytest

from stepmark.web.frames import call_with_room

SECONDS = 2
ALLOWED_MORE = ("long", "product", "browser")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Pauses garbage collection while tests are collected, then makes it rarer and exempts all existing objects."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> object | None:
    """Runs all tests with room for their frames. Wrappers of this hook run twice, around this and around the others."""
    others = session.config.pluginmanager.subset_hook_caller("pytest_runtestloop", [sys.modules[__name__]])
    return call_with_room(lambda: others(session=session))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    before = sum(os.times()[:4])
    try:
        return (yield)
    finally:
        if not any(map(item.get_closest_marker, ALLOWED_MORE)):
            item.user_properties.append(("processor_seconds", sum(os.times()[:4]) - before))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    took = {
        report.nodeid: dict(report.user_properties).get("processor_seconds", 0)
        for report in terminalreporter.getreports("passed")
        if report.when == "call"
    }
    over = {name: seconds for name, seconds in took.items() if seconds > SECONDS}
    if over:
        terminalreporter.section(f"over {SECONDS} s of processor time")
    for name in sorted(over, key=over.__getitem__, reverse=True):
        terminalreporter.line(f"{over[name]:5.1f} s  {name}")
