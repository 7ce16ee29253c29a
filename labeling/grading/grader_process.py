"""The child that compares mathematics: one JSON line in, one verdict out.

Run as ``python -m labeling.grading.grader_process``.

A worker, forked when everything is loaded, does the work. The kernel's alarm ends it when a line takes too long,
wherever it hangs, and the next one is there at once. The limit is one of processor time, so that no verdict depends on
what else the machine does. Any other death ends the child as well: the parent (grader.py) then starts another.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import signal
import sys

from labeling.grading.verdicts import verdict
from labeling.rules.words import Verdict

MEMORY_BYTES = 1 << 30
COMPARE_SECONDS = 0.6  # of processor time


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    logging.disable(logging.CRITICAL)
    _answer("ready")
    while _worker_ran_out_of_time():
        _answer(Verdict.UNSURE)


def _worker_ran_out_of_time() -> bool:
    """Runs a worker to its end. Returns whether the alarm ended it, rather than the parent by closing the pipe."""
    # The fork has everything loaded already: replacing a worker that was killed takes no time.
    worker = os.fork()
    if not worker:
        _serve()
    _, status = os.waitpid(worker, 0)
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF


def _serve() -> None:
    for line in sys.stdin:
        # Nothing catches this alarm: it ends the process even in the middle of a C function, where Python's handlers
        # would wait.
        signal.setitimer(signal.ITIMER_PROF, COMPARE_SECONDS)
        found = _verdict_on(*json.loads(line))
        signal.setitimer(signal.ITIMER_PROF, 0)
        _answer(found)
    os._exit(0)


def _verdict_on(answer: str, reference: str) -> str:
    try:
        return verdict(answer, reference)
    except (Exception, MemoryError):  # whatever it was, nobody knows the verdict
        return Verdict.UNSURE


def _answer(word: str) -> None:
    sys.stdout.write(word + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
