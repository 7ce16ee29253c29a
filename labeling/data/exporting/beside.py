"""Puts labels into a copy of the file that their traces or solutions came in, beside the text."""

from __future__ import annotations

import gzip
from collections import defaultdict
from io import BytesIO
from pathlib import Path
from typing import IO, Any, cast

from labeling.data.exporting import files, standing
from labeling.data.exporting.choosing import LabelFilter
from labeling.data.exporting.rewriting import rewrite
from labeling.data.formats import guess
from labeling.data.formats.fields import FormatError
from labeling.data.formats.files import Unreadable
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces.beside import HOLDERS, Judgement, put
from labeling.data.importing import pool
from labeling.data.importing.samples import Key
from labeling.rules import error_kinds
from labeling.rules.labelled import Labelled, LabelledCompletion

Counts = dict[str, int]


def write_beside(label_filter: LabelFilter, *, source: Path, output: Path) -> Counts:
    """Writes a copy of the file with the labels as they stand beside its texts (gzipped where its name ends with .gz).

    Returns the counts of the file's solutions, of those with labels, and of their labellings. A file already at the
    path stays until all is written. Raises Unreadable, UnknownChoice, OSError.
    """
    label_filter.check()
    wanted = _keys(source)
    if not wanted:
        raise Unreadable("Nothing in this file can hold labels: traces can, and solutions with “problem” and “steps”.")
    found = _judgements(label_filter, wanted)
    counts = {"solutions": 0, "labelled": 0, "labellings": 0}

    def change(record: dict[str, Any]) -> dict[str, Any]:
        name, keys = _read(record)
        own = [found.get(key, []) for key in keys]
        counts["solutions"] += len(own)
        counts["labelled"] += sum(map(bool, own))
        counts["labellings"] += sum(map(len, own))
        return put(name, record, own) if any(own) else record

    with files.whole(output) as file:
        if output.suffix == ".gz":
            with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as zipped:
                rewrite(source, cast(IO[bytes], zipped), change)
        else:
            rewrite(source, file, change)
    return counts


def _keys(source: Path) -> set[Key]:
    """The keys of all solutions in the file."""
    wanted = set[Key]()

    def look(record: dict[str, Any]) -> dict[str, Any]:
        wanted.update(_read(record)[1])
        return record

    rewrite(source, _Nowhere(), look)
    return wanted


class _Nowhere(BytesIO):
    """A file that discards what is written to it."""

    def write(self, data: Any) -> int:
        return len(data)


def _read(record: dict[str, Any]) -> tuple[str, list[Key]]:
    """The format of the record, and the keys of its solutions; none for a record that can't be read."""
    name = guess.holder_of(record)
    try:
        return name, [pool.keyed(solution).key for solution in HOLDERS[name](record, Notes())] if name else []
    except FormatError:
        return name, []


def _judgements(label_filter: LabelFilter, wanted: set[Key]) -> dict[Key, list[Judgement]]:
    problems = {problem for problem, _ in wanted}
    found = defaultdict[Key, list[Judgement]](list)
    for labelled in standing.stream(label_filter):
        if labelled.problem_hash in problems:
            key = (labelled.problem_hash, pool.steps_hash(labelled.solution_steps, labelled.turns))
            if key in wanted:
                found[key].append(_judgement(labelled))
    return found


def _judgement(labelled: Labelled) -> Judgement:
    at = labelled.submitted_at
    said = {
        "labelling": labelled.id,
        "annotator": labelled.annotator_id,
        "method": labelled.method,
        "phase": labelled.phase,
        "finish_reason": labelled.finish_reason,
        "submitted_at": at.isoformat() if at else None,
        **({"result": labelled.result} if labelled.result else {}),
    }
    own = [item for item in labelled.completions if item.number == 0 and not item.is_human]
    ratings = {item.step: item.rating for item in own if item.rating is not None or item.is_flagged}
    return Judgement(said, ratings, {item.step: _error(labelled, item) for item in own if item.has_error})


def _error(labelled: Labelled, item: LabelledCompletion) -> dict[str, Any]:
    """Returns the labelling's facts about the mistake, with the name of its kind."""
    said = {
        "kind": error_kinds.name_of(labelled.error_kinds, item.error_kind) or item.error_kind or None,
        "start": item.error_start,
        "end": item.error_end,
        "words": item.error_words or None,
        "root_cause": item.root_cause,
    }
    return {name: value for name, value in said.items() if value is not None}
