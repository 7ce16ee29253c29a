"""Counting what a format can't hold of a labelling: the labels that are in none of its records, and what is changed."""

from __future__ import annotations

from collections import Counter
from enum import Enum

from labeling.data.formats.labels import math_shepherd
from labeling.rules.labelled import Labelled

WHOLE = {"prm800k", "parquet"}  # they hold everything
MARKED = {"math_shepherd", "openrlhf"}


class Loss(Enum):
    """A kind of loss: its name in a manifest, and its title."""

    LABELLINGS = "labellings", "Labellings without a record: given up, or unsure from the first step on"
    UNJUDGED = "unjudged", "Labellings without a record: no mistake was found, and not every step was rated"
    LABELS = "labels", "Labels of these labellings"
    ALTERNATIVES = "alternatives", "Labels of alternatives beside the path"
    AFTER_PATH = "after_path", "Labels after the first mistake, or after a step that is unsure"
    NEUTRAL = "neutral_as_right", "Neutral labels (Okay), written as right"
    OWN_STEPS = "own_steps_as_right", "Unrated steps of the annotator's own, written as right"
    RESULTS = "results", "Verdicts on the final result"
    KINDS = "error_kinds", "Kinds of error, their words and root causes"
    TEXTS = "changed_texts", "Texts with a line break or the mark, written in another way and read back as they were"

    def __init__(self, code: str, title: str) -> None:
        self.code = code
        self.title = title


def losses(labelled: Labelled, file_format: str) -> Counter[Loss]:
    """Counts what `WRITERS[file_format]` leaves out or changes of the labelling."""
    if file_format in WHOLE:
        return Counter()
    is_unjudged = file_format == "processbench" and not labelled.is_judged
    path = [] if is_unjudged else labelled.path
    if file_format == "processbench" and labelled.first_error != -1:
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
        found[Loss.TEXTS] = sum(map(math_shepherd.is_changed, [labelled.problem, *(item.text for item in path)]))
    found[Loss.KINDS] = sum(item.has_error for item in labelled.completions)
    found[Loss.RESULTS] = int(labelled.result != "")
    has_record = path or (
        has_alternatives and any(item.rating is not None and item.step == 0 for item in labelled.completions)
    )
    if not has_record:
        found[Loss.UNJUDGED if is_unjudged else Loss.LABELLINGS] = 1
    return +found
