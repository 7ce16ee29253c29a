"""tests.everything: what it reads from the outputs of pytest and vitest."""

import subprocess
import sys
from pathlib import Path

from tests.everything import Part, Result, counted, failures

TESTS = """
import logging
import pytest

def test_wrong():
    logging.error("a line of a log")
    assert False

@pytest.fixture
def broken():
    raise OSError

def test_without_its_fixture(broken): ...
def test_right(): ...
"""
OF_VITEST = """
 FAIL  src/a.test.ts > adds
AssertionError: expected 3 to be 2

 FAIL  src/b.test.ts [ src/b.test.ts ]
 Test Files  2 failed | 1 passed (3)
      Tests  1 failed | 9 passed (10)
"""


def failed(name: str, output: str) -> Result:
    return Result(Part(name, []), "failed", counts=counted(output), output=output)


def test_failed_tests_are_counted_and_named(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-ra", "-p", "no:randomly", "--rootdir=.", "tests"]
    ran = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True)
    python, client, mute = failed("Python", ran.stdout), failed("client", OF_VITEST), failed("mute", "Killed")
    assert python.counts == {"passed": 1, "failed": 2}
    assert client.counts == {"passed": 9, "failed": 1}
    assert failures([python, client, mute]) == [
        "tests/test_it.py::test_without_its_fixture - OSError  (Python)",
        "tests/test_it.py::test_wrong - assert False  (Python)",
        "src/a.test.ts > adds  (client)",
        "src/b.test.ts [ src/b.test.ts ]  (client)",
        "mute",
    ]


def test_a_part_that_passed_names_no_test() -> None:
    assert failures([Result(Part("all", []), "passed", output="FAILED tests/test_it.py::test_wrong")]) == []
