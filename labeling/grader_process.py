"""The child that grades with math-verify: one JSON line in, one out. Run as ``python -m labeling.grader_process``.

It may hang or die on any line: the parent (grading.py) kills it then. The alarm is for a parent that is gone.
"""

from __future__ import annotations

import json
import logging
import resource
import signal
import sys
from typing import Any

MEMORY_BYTES = 1 << 30
ALARM_SECONDS = 10


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    logging.disable(logging.CRITICAL)
    from math_verify import parse, verify  # noqa: PLC0415  slow, and only ever in this process

    _answer("ready")
    for line in sys.stdin:
        signal.alarm(ALARM_SECONDS)
        answer, reference = json.loads(line)
        try:
            verdict = _compare(parse, verify, answer, reference)
        except (Exception, RecursionError, MemoryError):  # whatever it was, nobody knows the verdict
            verdict = "unsure"
        signal.alarm(0)
        _answer(verdict)


def _compare(parse: Any, verify: Any, answer: str, reference: str) -> str:
    ours = parse(f"\\boxed{{{answer}}}", parsing_timeout=None, raise_on_error=True)
    theirs = parse(f"\\boxed{{{reference}}}", parsing_timeout=None, raise_on_error=True)
    if not ours or not theirs:
        return "unsure"
    verdicts = {
        verify(theirs, ours, timeout_seconds=None, raise_on_error=True),
        verify(ours, theirs, timeout_seconds=None, raise_on_error=True),
    }
    return "unsure" if len(verdicts) == 2 else "right" if verdicts == {True} else "wrong"


def _answer(word: str) -> None:
    sys.stdout.write(word + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
