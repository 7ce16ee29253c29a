"""Counting what a format can't hold of a labelling: the labels that are in none of its records, and what is changed."""

from __future__ import annotations

from collections import Counter
from enum import Enum

from labeling.data.formats.labels import math_shepherd
from labeling.data.formats.labels.agents import rebuilt
from labeling.rules.labelled import Labelled

WHOLE = {"prm800k", "parquet"}  # they hold everything
MARKED = {"math_shepherd", "openrlhf"}
JUDGED = {"processbench", "who_and_when", "codetracebench", "agentrx"}  # they judge whole solutions
OF_TRACES = {"who_and_when", "agent_process_bench", "codetracebench", "agentrx"}
RATED = {"agent_process_bench", "codetracebench", "turn_rewards"}  # they hold neutral
OF_EACH_TURN = RATED | {"agentrx"}  # they hold every label of the solution's own steps


class Loss(Enum):
    """A kind of loss: its name in a manifest, and its title."""

    LABELLINGS = "labellings", "Labellings without a record: given up, or unsure from the first step on"
    UNJUDGED = "unjudged", "Labellings without a record: no mistake was found, and not every step was rated"
    NO_TRACE = "no_trace", "Labellings without a record: of plain texts, or of traces that it can't hold"
    NO_MISTAKE = "no_mistake", "Labellings without a record: no mistake was found"
    LABELS = "labels", "Labels of these labellings"
    ALTERNATIVES = "alternatives", "Labels of alternatives beside the path"
    AFTER_PATH = "after_path", "Labels after the first mistake, or after a step that is unsure"
    NEUTRAL = "neutral_as_right", "Neutral labels (Okay), written as right"
    OWN_STEPS = "own_steps_as_right", "Unrated steps of the annotator's own, written as right"
    TURNS = "turns_as_texts", "Turns of traces, written as texts: without their types, and without what came between"
    RESULTS = "results", "Verdicts on the final result"
    KINDS = "error_kinds", "Kinds of error, their words and root causes"
    TEXTS = "changed_texts", "Texts with a line break or the mark, written in another way and read back as they were"

    def __init__(self, code: str, title: str) -> None:
        self.code = code
        self.title = title


def losses(labelled: Labelled, file_format: str) -> Counter[Loss]:
    """Counts what `WRITERS[file_format]` leaves out or changes of the labelling."""
    if file_format in WHOLE:
        return Counter(_of_turns(labelled, file_format))
    reason = _why_none(labelled, file_format)
    if file_format in OF_EACH_TURN:
        return _of_each_turn(labelled, file_format, reason) + _of_errors(labelled)
    path = [] if reason else labelled.path
    if file_format in JUDGED and labelled.first_error != -1:
        path = path[: labelled.first_error + 1]
    has_alternatives = file_format == "trl_alternatives"
    found = Counter[Loss]()
    for item in labelled.completions:
        is_on_path = item in path[item.step : item.step + 1]
        is_written = is_on_path or (has_alternatives and item.step <= len(path))
        if item.rating is None:
            found[Loss.OWN_STEPS] += is_on_path
        elif is_written:
            found[Loss.NEUTRAL] += item.rating == 0
        elif not path:
            found[Loss.LABELS] += 1
        else:
            found[Loss.ALTERNATIVES if item.step < len(path) else Loss.AFTER_PATH] += 1
    if file_format in MARKED and path:
        texts = [labelled.problem_text, *(item.text for item in path)]
        found[Loss.TEXTS] = sum(map(math_shepherd.is_changed, texts))
    has_record = path or (
        has_alternatives and any(item.rating is not None and item.step == 0 for item in labelled.completions)
    )
    if not has_record:
        found[reason or Loss.LABELLINGS] = 1
    else:
        found.update(_of_turns(labelled, file_format))
    return +found + _of_errors(labelled)


def _why_none(labelled: Labelled, file_format: str) -> Loss | None:
    """Returns why the labelling has no record, whatever its path; None if it may have one."""
    if file_format in OF_TRACES and not _is_trace(labelled, file_format):
        return Loss.NO_TRACE
    if file_format in JUDGED and not labelled.is_judged:
        return Loss.UNJUDGED
    has_mistake = -1 in (item.rating for item in labelled.path)
    return Loss.NO_MISTAKE if file_format == "who_and_when" and not has_mistake else None


def _is_trace(labelled: Labelled, file_format: str) -> bool:
    if file_format == "agentrx":
        return bool(labelled.turns and labelled.external_id)
    return bool(labelled.turns) and not (file_format == "who_and_when" and rebuilt.has_other_speakers(labelled))


def _of_each_turn(labelled: Labelled, file_format: str, reason: Loss | None) -> Counter[Loss]:
    """Counts what is left out by a format that holds the labels of the solution's own steps, each by itself."""
    rated = [item for item in labelled.completions if item.rating is not None]
    own = [item for item in rated if item.number == 0 and not item.is_human]
    if file_format == "turn_rewards" and labelled.has_alternatives_only:
        own = []
    if reason or not own:
        return +Counter({reason or Loss.LABELLINGS: 1, Loss.LABELS: len(rated)})
    found = Counter({Loss.ALTERNATIVES: len(rated) - len(own)})
    if file_format not in RATED:
        found[Loss.NEUTRAL] = sum(item.rating == 0 for item in own)
    return +found


def _of_errors(labelled: Labelled) -> Counter[Loss]:
    """Counts the facts about errors and the verdicts on the result, which few formats hold."""
    kinds = sum(item.has_error for item in labelled.completions)
    return +Counter({Loss.KINDS: kinds, Loss.RESULTS: int(labelled.result != "")})


def _of_turns(labelled: Labelled, file_format: str) -> dict[Loss, int]:
    """Counts the turns whose parts and context are lost in formats that have texts alone."""
    has_parts = file_format in OF_TRACES | OF_EACH_TURN | {"parquet"}
    return {Loss.TURNS: len(labelled.turns)} if labelled.turns and not has_parts else {}
