"""Bring problems and solutions in. A problem is known by its statement, a solution by its problem and its steps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import transaction

from labeling import grading
from labeling.formats import gsm8k, solutions
from labeling.formats.solutions import ParsedProblem, ParsedSolution
from labeling.importing import reading
from labeling.importing.reading import ImportReport, Source
from labeling.models import Problem, Solution, Verdict

GIVEN = "given"
ROWS = 500

FORMATS: dict[str, Callable[[dict[str, Any]], list[ParsedSolution]]] = {
    "solutions": lambda record: [solutions.parse(record)],
    "gsm8k": gsm8k.parse,
}

Key = tuple[str, str]  # hashes of a problem and of a solution's steps


def import_solutions(  # noqa: PLR0913  a door calls it with the options of a command
    path: str | Path,
    *,
    source: str = "",
    file_format: str = "solutions",
    atomic: bool = False,
    on_bytes: Callable[[int], None] | None = None,
    report: ImportReport | None = None,
) -> ImportReport:
    """Import a file of solutions (one of FORMATS, plain or gzipped) and grade their answers.

    Bad lines are in the report; ``atomic`` imports nothing when there is one. Solutions that are known already
    count as duplicates and stay as they are.
    """
    reader = Source(Path(path), FORMATS[file_format], on_bytes)
    return reading.run(reader, partial(_store, source=source), atomic=atomic, report=report)


def _store(records: list[list[ParsedSolution]], report: ImportReport, *, source: str) -> None:
    store_solutions(chain.from_iterable(records), report, source=source, in_pool=True)


def problem_hash(statement: str) -> str:
    """What makes a problem the same, whatever file it came in: its exact statement."""
    return hashlib.sha256(statement.encode()).hexdigest()


def steps_hash(steps: Sequence[str]) -> str:
    """What makes a solution of a problem the same: its exact steps."""
    return hashlib.sha256(json.dumps(list(steps), ensure_ascii=False).encode()).hexdigest()


def store_solutions(
    parsed: Iterable[ParsedSolution], report: ImportReport, *, source: str, in_pool: bool
) -> dict[Key, UUID]:
    """Store what is new, in one transaction; grading comes before it. The ids of all solutions, old and new."""
    by_key = dict[Key, ParsedSolution]()
    for item in parsed:
        key = (problem_hash(item.problem.statement), steps_hash(item.steps))
        if in_pool and key in by_key:
            report.duplicates += 1
        by_key.setdefault(key, item)
    known, references = _known(by_key), _references(by_key)
    if in_pool:
        report.duplicates += len(known)
    new = {key: item for key, item in by_key.items() if key not in known}
    replaced = set(Problem.objects.filter(replaced_by__isnull=False).values_list("text_hash", flat=True))
    verdicts = {key: _verdict(item, references.get(key[0])) for key, item in new.items()}
    with transaction.atomic():
        problem_ids = _store_problems({key[0]: item.problem for key, item in new.items()}, report, source)
        rows = [
            Solution(
                problem_id=problem_ids[key[0]],
                generator=item.generator,
                steps=list(item.steps),
                answer=item.answer,
                verdict=verdicts[key][0],
                grader_version=verdicts[key][1],
                source=source,
                external_id=item.external_id,
                in_pool=in_pool and key[0] not in replaced,
                text_hash=key[1],
            )
            for key, item in new.items()
        ]
        Solution.objects.bulk_create(rows, batch_size=ROWS, ignore_conflicts=True)
    report.solutions += len(rows)
    return _known(by_key)


def _known(keys: Iterable[Key]) -> dict[Key, UUID]:
    wanted = set(keys)
    rows = Solution.objects.filter(text_hash__in={key[1] for key in wanted})
    found = rows.values_list("problem__text_hash", "text_hash", "pk")
    return {(problem, steps): pk for problem, steps, pk in found if (problem, steps) in wanted}


def _references(keys: Iterable[Key]) -> dict[str, str]:
    """The reference answers of the problems that are known already: verdicts are about those."""
    rows = Problem.objects.filter(text_hash__in={key[0] for key in keys})
    return dict(rows.values_list("text_hash", "reference_answer"))


def _store_problems(parsed: dict[str, ParsedProblem], report: ImportReport, source: str) -> dict[str, UUID]:
    ids = _problem_ids(parsed)
    rows = [
        Problem(
            statement=item.statement,
            reference_answer=item.reference_answer,
            reference_solution=item.reference_solution,
            subject=item.subject,
            level=item.level,
            split=item.split,
            source=source,
            text_hash=text_hash,
        )
        for text_hash, item in parsed.items()
        if text_hash not in ids
    ]
    Problem.objects.bulk_create(rows, batch_size=ROWS, ignore_conflicts=True)
    report.problems += len(rows)
    return _problem_ids(parsed)


def _problem_ids(hashes: Iterable[str]) -> dict[str, UUID]:
    rows = Problem.objects.filter(text_hash__in=set(hashes))
    return dict(rows.values_list("text_hash", "pk"))


def _verdict(item: ParsedSolution, known_reference: str | None) -> tuple[str, str]:
    """The verdict and who gave it: the record itself, or our grader."""
    if item.is_correct is not None:
        return (Verdict.RIGHT if item.is_correct else Verdict.WRONG), GIVEN
    reference = item.problem.reference_answer if known_reference is None else known_reference
    return grading.grade(item.answer, reference), grading.GRADER_VERSION
