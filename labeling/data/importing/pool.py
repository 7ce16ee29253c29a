"""Imports problems and solutions. A problem is identified by its statement, a solution by its problem and steps."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, Unpack
from uuid import UUID

from django.conf import settings
from django.db import connection, models, transaction
from django.db.models.expressions import RawSQL
from msgspec import structs

from labeling.data.formats import gsm8k, solutions, traces
from labeling.data.formats.columns import Columns
from labeling.data.formats.cutter import Cutter, HandCut, SplitSteps
from labeling.data.formats.fields import FormatError
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.data.importing import bulk, reading, samples
from labeling.data.importing.marking import marked
from labeling.data.importing.reading import How, ImportReport, Reader
from labeling.data.importing.samples import Draw, Key, Keyed, Numbers
from labeling.data.problems import near, register, splits
from labeling.grading import grader
from labeling.models import Problem, ProblemBand, Solution, Split, Verdict
from labeling.models.origin import new_ids
from labeling.rules.texts import statements
from labeling.rules.texts.cutting import USUAL, Cutting
from labeling.rules.texts.splitting import split_steps
from labeling.rules.traces.parts import Part, Turn
from labeling.rules.words import FileFormat, Grader, PartKind

GIVEN = "given"
_as_json = json.JSONEncoder(ensure_ascii=False).encode

Parse = Callable[..., list[ParsedSolution]]  # of a record, the notes, and `split`


def _traced(
    read: Callable[[dict[str, Any], Notes], list[ParsedSolution]], record: dict[str, Any], notes: Notes, **_: SplitSteps
) -> list[ParsedSolution]:
    """Reads traces, ignoring `split`: their steps are their turns."""
    return read(record, notes)


FORMATS: dict[str, Parse] = {
    "solutions": lambda record, notes, split=split_steps: [solutions.parse(record, notes, split)],
    "gsm8k": lambda record, _, split=split_steps: gsm8k.parse(record, split),
    **{name: partial(_traced, read) for name, read in traces.READERS.items()},
}

OWN = ("steps", "turns", "markup", "answer", "generator", "external_id")
own_columns = attrgetter(*OWN)
SOLUTION_FIELDS = ("id", "problem_id", "verdict", "grader_version", "text_hash", "in_pool", "source", "origin", *OWN)
PROBLEM_FIELDS = ("id", *ParsedProblem.__struct_fields__, "source", "text_hash", "origin")

VerdictAndGrader = tuple[str, str]  # the verdict, and who gave it


@dataclass(frozen=True)
class ProblemOptions:
    """Options for all problems of a file.

    The split, for records that don't name one (empty: new problems are for training, known ones stay where they are);
    the benchmark that they are registered on, if any; what compares answers with their reference answers.
    """

    split: str = ""
    benchmark: str = ""
    graded_by: Grader = Grader.MATHEMATICS

    def of_format(self, file_format: str) -> ProblemOptions:
        """Options with the split of the format's problems if none is named."""
        return replace(self, split=self.split or (Split.TEST if FileFormat(file_format).traits.is_held_out else ""))


NOTHING_SAID = ProblemOptions()


@dataclass(frozen=True)
class PoolDestination:
    """The destination of solutions, with the numbers of the file's draws."""

    source: str
    numbers: Numbers
    origin: UUID | None = None
    of_problems: ProblemOptions = NOTHING_SAID


def import_solutions(  # noqa: PLR0913  the options of a command
    path: str | Path,
    *,
    source: str = "",
    of_problems: ProblemOptions = NOTHING_SAID,
    origin: UUID | None = None,
    file_format: str = "solutions",
    columns: Mapping[str, str] | None = None,
    generator: str = "",
    cutting: Cutting = USUAL,
    by_hand: Iterable[HandCut] = (),
    **how: Unpack[How],
) -> ImportReport:
    """Import a file of solutions (one of FORMATS, plain or compressed) and grade their answers.

    ``columns`` maps columns of other names to our fields, ``generator`` is for records without one; both are for the
    format “solutions” alone, in which well-known other names are guessed. ``cutting`` cuts texts into steps, except
    those that are cut ``by_hand``. Bad lines are in the report. Known solutions stay as they are, and join this source,
    too. Draws that the source has already count as duplicates.
    """
    report = how.setdefault("report", ImportReport())
    renamed = Columns(report.notes, columns, generator) if file_format == "solutions" else _same
    split = Cutter(report.notes, cutting, by_hand)
    parse = partial(FORMATS[file_format], split=split)
    reader = Reader(Path(path), partial(_read_record, parse=parse, notes=report.notes, renamed=renamed))
    destination = PoolDestination(source, Numbers(), origin, of_problems)
    return reading.import_records(reader, partial(_store_records, destination=destination), **how)


def _same(record: dict[str, Any]) -> dict[str, Any]:
    return record


def _read_record(
    record: dict[str, Any], parse: Parse, notes: Notes, renamed: Callable[[dict[str, Any]], dict[str, Any]]
) -> list[Keyed]:
    items = parse(renamed(record), notes)
    if (steps := max(len(item.steps) for item in items)) > settings.MAX_STEPS:
        raise FormatError(f"it has {steps:,} steps; at most {settings.MAX_STEPS:,} are allowed (the setting MAX_STEPS)")
    return [keyed(item) for item in items]


def _store_records(records: list[list[Keyed]], report: ImportReport, destination: PoolDestination) -> None:
    store_solutions(chain.from_iterable(records), report, destination)


def keyed(item: ParsedSolution) -> Keyed:
    """The solution with its unique key."""
    problem = item.problem
    return Keyed((problem_hash(problem.statement, problem.conversation), steps_hash(item.steps, item.turns)), item)


@lru_cache(maxsize=4096)  # the samples of a problem stand side by side
def problem_hash(statement: str, conversation: tuple[Part, ...] | None = None) -> str:
    """The hash that identifies a problem whatever file it came in: of `statements.identity`, and of what was said
    before the first turn of a trace.
    """
    said = "".join(f"\0{each.name}\0{each.text}{each.image}" for each in conversation or ())
    return hashlib.sha256((statements.identity(statement) + said).encode()).hexdigest()


def steps_hash(steps: Sequence[str], turns: Sequence[Turn] | None = None) -> str:
    """The hash that identifies a solution of a problem: of its exact steps, and of what came after each of them."""
    after = [[_told(part) for part in turn.context] for turn in turns or ()]
    return hashlib.sha256(_as_json([*steps, *([after] if any(after) else [])]).encode()).hexdigest()


def _told(part: Part) -> list[str | bool]:
    """The values that identify a part of the context. Names of tools and people don't: the file's writer chose them."""
    address = part.image or (part.name if part.kind in {PartKind.IMAGE, PartKind.FILE} else "")
    return [part.text, address, part.is_error]


@dataclass(frozen=True)
class Graded:
    """Solutions on their way in: the keys of all, in order; the new ones with their verdicts; the ids of the others."""

    keys: list[Key]
    new: dict[Key, tuple[ParsedSolution, VerdictAndGrader]]
    solution_ids: dict[Key, UUID]
    problem_ids: dict[str, UUID]
    replaced: set[str]
    held_out: set[str]  # problems that a record holds out
    of_problems: ProblemOptions


@dataclass(frozen=True)
class Stored:
    """The ids of all solutions, old and new, in order; the old ones among them; the numbers of new rows, and of known
    problems that moved to split test.
    """

    ids: list[UUID]
    known: set[UUID]
    problems: int
    solutions: int
    held_out: int


def store_solutions(items: Iterable[Keyed], report: ImportReport, destination: PoolDestination) -> list[UUID]:
    """Add solutions to the pool. Returns the ids of all, old and new, in order."""
    items = list(items)
    # A batch that fails is stored in parts: its draws keep the numbers that they were given.
    for each in items:
        if each.draw is None:
            each.draw = destination.numbers.next(each.item.external_id, *each.key, each.item.generator)
    graded = grade(marked(items, report.shown), destination.of_problems)
    with transaction.atomic():
        stored, found = store_drawn(items, graded, source=destination.source, origin=destination.origin)
    report.problems += stored.problems
    report.solutions += stored.solutions
    report.held_out += stored.held_out
    report.draws += found.draws
    report.shared += found.shared
    report.duplicates += found.duplicates
    return stored.ids


def store_drawn(
    items: Sequence[Keyed], graded: Graded, *, source: str, origin: UUID | None
) -> tuple[Stored, samples.DrawCounts]:
    """Adds graded solutions and their numbered draws to the pool, in the caller's transaction."""
    stored = store_graded(graded, source=source, in_pool=True, origin=origin)
    draws = [
        Draw(pk, each.item.generator, each.draw or 0, each.item.external_id)
        for pk, each in zip(stored.ids, items, strict=True)
    ]
    return stored, samples.store_draws(draws, known=stored.known, source=source, origin=origin)


def grade(items: Sequence[Keyed], of_problems: ProblemOptions = NOTHING_SAID) -> Graded:
    """Find known solutions and grade new ones. This may take long: no transaction should be open."""
    # Of a solution that comes twice, the first one stays: in a dict, the last to come wins.
    first = {each.key: each.item for each in reversed(items)}
    rows = Problem.objects.filter(text_hash__in={key[0] for key in first})
    problems = {row[0]: row[1:] for row in rows.values_list("text_hash", "pk", "reference_answer", "replaced_by")}
    problem_ids = {text_hash: pk for text_hash, (pk, _, _) in problems.items()}
    known = known_solutions(first, problem_ids)
    references = {key[0]: item.problem.reference_answer for key, item in first.items()}
    # A problem that is stored already has its own reference answer, whatever the file says.
    references |= {text_hash: reference for text_hash, (_, reference, _) in problems.items()}
    by = of_problems.graded_by
    return Graded(
        keys=[each.key for each in items],
        new={key: (item, _graded_by(item, references[key[0]], by)) for key, item in first.items() if key not in known},
        solution_ids=known,
        problem_ids=problem_ids,
        replaced={text_hash for text_hash, (_, _, newer) in problems.items() if newer},
        held_out=splits.keys_held_out((each.key[0], each.item.problem.split or of_problems.split) for each in items),
        of_problems=of_problems,
    )


def store_graded(graded: Graded, *, source: str, in_pool: bool, origin: UUID | None = None) -> Stored:
    """Store new solutions, in the caller's transaction. What another import has stored meanwhile is not new."""
    problems, problem_ids, held_out = _store_graded_problems(graded, source, origin)
    ids = dict(zip(graded.new, new_ids(len(graded.new)), strict=True))
    pooled = problem_ids.keys() - graded.replaced if in_pool else set()
    rows = (
        (ids[key], problem_ids[key[0]], *verdict, key[1], key[0] in pooled, source, origin, *own_columns(item))
        for key, (item, verdict) in graded.new.items()
    )
    # Fewer rows stored than given: another import has stored some meanwhile, and their ids have to be read.
    stored = bulk.insert(Solution, SOLUTION_FIELDS, rows, skip_known=True)
    found = ids if stored == len(ids) else known_solutions(ids, problem_ids)
    known = {*graded.solution_ids.values(), *(set(found.values()) - set(ids.values()))}
    found = graded.solution_ids | found
    return Stored([found[key] for key in graded.keys], known, problems, stored, held_out)


def _store_graded_problems(graded: Graded, source: str, origin: UUID | None) -> tuple[int, dict[str, UUID], int]:
    new = {key[0]: item.problem for key, (item, _) in graded.new.items() if key[0] not in graded.problem_ids}
    known = {text_hash: graded.problem_ids[text_hash] for text_hash in graded.held_out & graded.problem_ids.keys()}
    held_out = splits.hold_out(known.values())
    stored, ids = store_problems(new, graded.held_out, source=source, origin=origin)
    ids = graded.problem_ids | ids
    if graded.of_problems.benchmark:
        register.register(graded.of_problems.benchmark, ids.values(), origin=origin)
    return stored, ids, held_out


def store_problems(
    new: Mapping[str, ParsedProblem], held_out: Container[str], *, source: str, origin: UUID | None
) -> tuple[int, dict[str, UUID]]:
    """Stores new problems, given by their hashes, in the caller's transaction; returns how many, and all their ids."""
    ids = dict(zip(new, new_ids(len(new)), strict=True))
    tasks = {text_hash: item.external_id for text_hash, item in new.items() if item.conversation and item.external_id}
    trials = splits.trials_held_out(tasks, held_out, source)
    split = {
        text_hash: Split.TEST.value if text_hash in held_out or text_hash in trials else Split.TRAIN.value
        for text_hash in new
    }
    rows = (
        (ids[text_hash], *structs.astuple(structs.replace(item, split=split[text_hash])), source, text_hash, origin)
        for text_hash, item in new.items()
    )
    stored = bulk.insert(Problem, PROBLEM_FIELDS, rows, skip_known=True)
    if stored < len(ids):  # another import has stored some meanwhile
        found = known_problems(ids)
        splits.hold_out(pk for text_hash, pk in found.items() if text_hash in held_out)
        ids, new = found, {text_hash: new[text_hash] for text_hash, pk in ids.items() if found[text_hash] == pk}
    splits.hold_out(ids[text_hash] for text_hash in trials)  # with the trials that are stored already
    statements_ = {ids[text_hash]: item.statement for text_hash, item in new.items()}
    bulk.insert(ProblemBand, near.FIELDS, near.rows(statements_))
    register.mark(statements_)
    return stored, ids


def known_solutions(keys: Iterable[Key], problem_ids: dict[str, UUID]) -> dict[Key, UUID]:
    """The ids of the solutions that are stored already.

    Queried by pairs, which Django can't express; SQLite uses its index only for a subquery.
    """
    pairs = {(problem_ids[problem], steps): (problem, steps) for problem, steps in keys if problem in problem_ids}
    if not pairs:
        return {}
    prepare = Problem._meta.pk.get_db_prep_value
    given = [value for pk, steps in pairs for value in (prepare(pk, connection), steps)]
    marks = ", ".join(["(%s, %s)"] * len(pairs))
    known = RawSQL(
        f"(problem_id, text_hash) IN (SELECT * FROM (VALUES {marks}) AS given)", given, models.BooleanField()
    )
    found = Solution.objects.filter(known).values_list("problem_id", "text_hash", "pk")
    return {pairs[problem, steps]: pk for problem, steps, pk in found}


def known_problems(hashes: Iterable[str]) -> dict[str, UUID]:
    return dict(Problem.objects.filter(text_hash__in=set(hashes)).values_list("text_hash", "pk"))


def _graded_by(item: ParsedSolution, reference: str, by: Grader) -> VerdictAndGrader:
    """The verdict and who gave it: the record itself, or a grader."""
    if item.is_correct is not None:
        return (Verdict.RIGHT if item.is_correct else Verdict.WRONG), GIVEN
    return grader.grade(item.answer, reference, by), by.version
