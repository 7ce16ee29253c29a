"""Who&When: which agent of several made the decisive mistake, and at which message.

Source: github.com/mingyin1/Agents_Failure_Attribution (Zhang et al. 2025, arXiv 2505.00212). `history[]{role, name,
content}`; `mistake_step`, a number from 0 in a text, is an index of it, and `mistake_agent` who wrote that message.

Reading: turns before the mistake are right, later ones have no label. If the message is the output of an agent's code,
the label goes on that agent's turn before it. Writing: only labellings that found a mistake, without who labelled and
when; neutral counts as right.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.agents import rebuilt
from labeling.data.formats.labels.agents.placing import judged, steps_of
from labeling.data.formats.labels.parsed import Mistake, ParsedLabelling
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedSolution
from labeling.data.formats.traces import multi_agent
from labeling.data.formats.traces.values import string
from labeling.rules.labelled import Labelled

READ = {"mistake_step", "mistake_agent", "mistake_reason"}
LONGEST = 9  # digits
MOVED = "mistakes at what a turn brought about, put at the turn"
VERDICTS = {"right": True, "wrong": False}


def parse(record: Record) -> ParsedLabelling:
    """Parses one record. Raises FormatError, which names the field."""
    notes = Notes()
    (solution,) = multi_agent.parse(record, notes)
    step = _mistake(record, solution, notes)
    mistake = Mistake(root_cause=step, why=string(record, "mistake_reason"))
    return judged(solution, [*[1] * step, -1], notes, mistakes={step: mistake})


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the fields that are not read."""
    yield from ((path, value) for path, value in multi_agent.unread(record) if path not in READ)


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    if not labelled.turns or rebuilt.has_other_speakers(labelled):  # readers would take these for agents
        return
    if not labelled.is_judged or labelled.first_error == -1:
        return
    history, places = rebuilt.messages(labelled)
    step = labelled.first_error
    yield {
        "question": labelled.problem,
        "question_ID": labelled.external_id or labelled.id,
        "ground_truth": labelled.reference_answer,
        "is_correct": VERDICTS.get(labelled.verdict),
        "generator": labelled.generator,
        "history": history,
        "mistake_agent": labelled.turns[step].agent,
        "mistake_step": str(places[step]),
        "mistake_reason": "",
    }


def _mistake(record: Record, solution: ParsedSolution, notes: Notes) -> int:
    given, agent, turns = string(record, "mistake_step"), string(record, "mistake_agent"), solution.turns or ()
    if not given.isdecimal() or len(given) > LONGEST:
        raise FormatError(f"mistake_step: “{given[:40]}” is no index of the history")
    at = int(given)
    if (step := steps_of(turns).get(at)) is not None:
        return step
    for step, turn in enumerate(turns):
        if any(part.at == at for part in turn.context) and turn.agent == agent:
            notes.add(MOVED)
            return step
    raise FormatError(f"mistake_step: message {at} is not “{agent}”'s")
