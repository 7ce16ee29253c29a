"""Grades an answer against the reference answer: right, wrong or unsure, within a second of processor time.

Plain answers are compared as exact numbers or words (verdicts.py). Others go to a long-lived child process
(grader_process.py), whose worker dies when it takes too long.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import selectors
import subprocess
import sys
import threading
from functools import lru_cache
from pathlib import Path

from labeling.grading.verdicts import quick_verdict, same_letter, same_words, split_label
from labeling.rules.words import Grader, Verdict

REPLY_SECONDS = 30.0  # the child has its own limit of processor time; this one is for a child that hangs
START_SECONDS = 60.0
CACHED = 65536
WHOLE = re.compile(r"-?[0-9]{1,30}")  # most answers: nothing needs to be read
ROOT = Path(__file__).resolve().parents[2]


def grade(answer: str, reference: str, by: Grader = Grader.MATHEMATICS) -> Verdict:
    """The verdict on a final answer; the same if the two are swapped. Thread-safe."""
    one, other = sorted((answer.strip(), reference.strip()))
    match by:
        case Grader.MATHEMATICS:
            return _grade(one, other)
        case Grader.EXACT:
            return same_words(one, other)
        case Grader.CHOICE:
            return same_letter(one, other)
        case Grader.NONE:
            return Verdict.UNSURE


@lru_cache(maxsize=CACHED)
def _grade(one: str, other: str) -> Verdict:
    if one == other:
        return Verdict.RIGHT if one else Verdict.UNSURE
    if WHOLE.fullmatch(one) and WHOLE.fullmatch(other):
        return Verdict.RIGHT if int(one) == int(other) else Verdict.WRONG
    (our_label, ours), (their_label, theirs) = split_label(one), split_label(other)
    # A choice's letter with its text, such as “(B) 5”, is right if the texts agree and the letters don't differ. It is
    # never wrong: of “(B) 5” and “(C) 5”, one half agrees.
    if not ((our_label and ours) or (their_label and theirs)):
        return _compare(one, other)
    verdict = _compare(ours or one, theirs or other) if ours and theirs else _compare(one, other)
    fits = not (our_label and their_label) or our_label == their_label
    return Verdict.RIGHT if verdict == Verdict.RIGHT and fits else Verdict.UNSURE


def _compare(one: str, other: str) -> Verdict:
    return quick_verdict(one, other) or _child.compare(one, other)


class _Child:
    """One grader process for this process, started at the first use."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._lock = threading.Lock()

    def compare(self, answer: str, reference: str) -> Verdict:
        # One question at a time: an answer does not say which question it is for.
        with self._lock:
            process = self._running()
            if process is None:
                return Verdict.UNSURE
            reply = _ask(process, json.dumps([answer, reference]), REPLY_SECONDS)
            # Nothing in time, or half a line: whatever comes later could be taken for the next answer, so the child is
            # replaced.
            if reply not in Verdict.values:
                self.stop()
                return Verdict.UNSURE
            return Verdict(reply)

    def stop(self) -> None:
        """Kills the child; the next comparison starts another."""
        process, self._process = self._process, None
        if process is None or self._owner != os.getpid():
            return
        process.kill()
        process.communicate()

    def _running(self) -> subprocess.Popen[bytes] | None:
        """Returns this process's own child (a fork must not share one), ready for a line; None if it can't start."""
        if self._process is not None and self._owner == os.getpid() and self._process.poll() is None:
            return self._process
        self.stop()
        command = [sys.executable, "-m", "labeling.grading.grader_process"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        self._owner = os.getpid()
        if _read_line(self._process, START_SECONDS) != "ready":
            self.stop()
        return self._process


def _ask(process: subprocess.Popen[bytes], line: str, seconds: float) -> str:
    assert process.stdin is not None
    try:
        process.stdin.write(line.encode() + b"\n")
    except OSError:
        return ""
    return _read_line(process, seconds)


def _read_line(process: subprocess.Popen[bytes], seconds: float) -> str:
    """The child's next line; empty when none came in time or the child is gone."""
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        if not selector.select(seconds):
            return ""
    return process.stdout.readline().decode().strip()


_child = _Child()
atexit.register(_child.stop)
