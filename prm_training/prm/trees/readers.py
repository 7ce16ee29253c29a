"""Reads files of labels and of solutions, in every form that can be imported, and our own labelled trees."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from labeling.data.formats import fields, files, gsm8k, guess, solutions, traces
from labeling.data.formats.columns import Columns
from labeling.data.formats.fields import FormatError
from labeling.data.formats.files import LineError
from labeling.data.formats.labels import SEVERAL, ParsedLabelling, has_ratings, read
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedSolution
from labeling.errors import DomainError
from labeling.rules.labelled import SCREENING, LabelledCompletion
from labeling.rules.traces import rendering
from labeling.rules.words import GIVEN_UP
from prm_training.prm.trees.data import Completion, LabelledTree, OutcomeLabel, PrmError, Rating, Solution, Split, Step

NOBODY = "unknown"  # the generator of solutions that name none
HOPELESS = 1000  # bad lines without a good one
TOLD = 10  # bad lines of a file
T = TypeVar("T")


class BadLine(PrmError):
    """A record can't be read; the message gives file, line number and reason."""


@dataclass
class Reading:
    """Options for reading files, and what was left out.

    `is_strict`: a record that can't be read raises BadLine instead of being left out. `left_out` counts, by reason, the
    records that can't be read or are no training data; `tell` gets sentences about them and about changes made to
    others.
    """

    is_strict: bool = True
    left_out: Counter[str] = field(default_factory=Counter)
    tell: Callable[[str], None] = lambda _: None

    def leave_out(self, reason: str) -> list[Any]:
        self.left_out[reason] += 1
        return []


@dataclass
class _File:
    """A file that is being read. `identity` is the current record's, for items without an id of their own."""

    path: Path
    reading: Reading
    notes: Notes
    columns: Columns

    @property
    def identity(self) -> str:
        return f"{self.path.name}:{self.notes.line}"


Parse = Callable[[dict[str, Any], _File], Iterable[T]]


def read_labels(path: str | Path, *, split: Split, reading: Reading | None = None) -> Iterator[LabelledTree]:
    """Yields trees: our own, labels in any format, and solutions with a verdict (`correct`), which is one label on the
    last step. All but our own trees belong to `split`. Screening, quality control, given-up and bad-problem records are
    left out. A step that the labeler wrote is chosen and has no rating.

    Like every reader here, it streams, and raises BadLine, or PrmError if nothing in the file can be read.
    """
    reading = reading or Reading()
    before, has_labels = reading.left_out["no_verdict"], False
    for tree in _read_file(path, lambda record, file: _trees(record, file, split), reading):
        has_labels = True
        yield tree
    if not has_labels and reading.left_out["no_verdict"] > before:
        raise PrmError(f"{path}: there are solutions in it, but no labels: neither of steps, nor a verdict (“correct”)")


def read_trees(path: str | Path) -> Iterator[LabelledTree]:
    """Yields the labelled trees of a file in our own format."""
    return _read_file(path, lambda record, _: [fields.convert(record, LabelledTree)], None)


def read_solutions(path: str | Path, *, reading: Reading | None = None) -> Iterator[Solution]:
    """Yields the solutions of a file in any format, also those of labels."""
    return _read_file(path, lambda record, file: [_with_id(each, file) for each in _solutions(record, file)], reading)


def read_first_errors(path: str | Path, *, reading: Reading | None = None) -> Iterator[tuple[Solution, int]]:
    """Yields solutions with the index of their first wrong step, -1 for none: ProcessBench's, or labels in any format
    that say so.

    Others are left out.
    """
    return _read_file(path, _first_errors, reading)


def read_wrong_steps(path: str | Path, *, reading: Reading | None = None) -> Iterator[tuple[Solution, list[int], str]]:
    """Yields solutions with the indexes of all their wrong steps and the kind of mistake: PRMBench's, or labels in any
    format that rate every step.

    Others are left out.
    """
    return _read_file(path, _wrong_steps, reading)


def read_judged_traces(path: str | Path, *, reading: Reading | None = None) -> Iterator[ParsedLabelling]:
    """Yields labellings of whole solutions, agents' traces or others, with the file's agents and results."""
    return _read_file(path, _judged_traces, reading)


def to_score(labelling: ParsedLabelling, identity: str) -> Solution:
    """The labelling's solution as a model reads it."""
    problem, contexts = _as_read(labelling.solution)
    return Solution(identity, problem, labelling.solution.steps, contexts)


def _read_file(path: str | Path, parse: Parse[T], reading: Reading | None) -> Iterator[T]:
    reading, notes, bad, has_good = reading or Reading(), Notes(), list[str](), False
    file = _File(Path(path), reading, notes, Columns(notes))
    notes.has_ratings = cache(lambda: has_ratings(files.read_records(file.path)))
    before = reading.left_out.copy()
    for line, result in _results(file, parse):
        if not isinstance(result, str):
            has_good = True
            yield from result
            continue
        bad.append(f"{path}, line {line}: {result}")
        reading.leave_out("bad_line")
        if reading.is_strict:
            raise BadLine(bad[0])
        if not has_good and len(bad) == HOPELESS:
            break
    if bad and not has_good:
        raise PrmError(f"{path}: nothing in it can be read. {bad[0]}")
    _tell(file, bad, reading.left_out - before)


def _results(file: _File, parse: Parse[T]) -> Iterator[tuple[int, Sequence[T] | str]]:
    """Yields the results of each record, or why it can't be read, with its line number."""
    try:
        for item in files.read_records(file.path, notes=file.notes):
            if isinstance(item, LineError):
                yield item.line, item.reason
                continue
            file.notes.line, record = item
            try:
                result: Sequence[T] | str = list(parse(record, file))
            except (FormatError, ValueError) as error:
                result = str(error)
            yield item[0], result
    except DomainError as error:
        raise PrmError(f"{file.path}: {error}") from error


def _tell(file: _File, bad: Sequence[str], left_out: Counter[str]) -> None:
    tell = file.reading.tell
    for sentence in bad[:TOLD]:
        tell(sentence)
    if left_out:
        tell(f"{file.path}: left out: {', '.join(f'{reason} {many:,}' for reason, many in left_out.items())}")
    if said := str(file.notes):
        tell(f"{file.path}: {said}")


def _trees(record: dict[str, Any], file: _File, split: Split) -> Iterable[LabelledTree]:
    if "group" in record:
        return [fields.convert(record, LabelledTree)]
    if (labellings := _labellings_in(record, file)) is not None:
        return [tree for each in labellings for tree in _tree(each, file, split)]
    return [tree for solution in _solutions(record, file) for tree in _outcome(solution, file, split)]


def _tree(labelling: ParsedLabelling, file: _File, split: Split) -> Iterable[LabelledTree]:
    if reason := _reason_to_leave_out(labelling):
        return file.reading.leave_out(reason)
    solution = _with_id(labelling.solution, file)
    steps = tuple(_steps(labelling.completions, solution.contexts))
    return [LabelledTree(file.identity, solution.problem, split, solution.problem, steps)]


def _outcome(solution: ParsedSolution, file: _File, split: Split) -> Iterable[LabelledTree]:
    if solution.is_correct is None:
        return file.reading.leave_out("no_verdict")
    named = _with_id(solution, file)
    return [OutcomeLabel(named.id, named.problem, named.steps, named.contexts, correct=solution.is_correct).tree(split)]


def _labellings_in(record: dict[str, Any], file: _File) -> list[ParsedLabelling] | None:
    """The record's labellings, or None if it has no labels of steps."""
    name = guess.labels_of(record)
    if name in SEVERAL:
        return SEVERAL[name](record, file.notes)
    return [read(name, record, file.notes)] if name else None


def _reason_to_leave_out(labelling: ParsedLabelling) -> str:
    if labelling.round_number == SCREENING:
        return "screening"
    if labelling.is_gold:
        return "quality_control"
    return labelling.finish_reason if labelling.finish_reason in GIVEN_UP else ""


def _steps(completions: Sequence[LabelledCompletion], contexts: Sequence[str]) -> Iterator[Step]:
    for number, group in groupby(completions, key=lambda item: item.step):
        shown = list(group)
        texts = tuple(
            Completion(item.text, None if item.is_human else cast(Rating | None, item.rating)) for item in shown
        )
        chosen = next((index for index, item in enumerate(shown) if item.is_chosen), None)
        yield Step(texts, chosen, contexts[number] if number < len(contexts) else "")


def _solutions(record: dict[str, Any], file: _File) -> list[ParsedSolution]:
    name = guess.labels_of(record)
    if name and name not in SEVERAL:
        return [read(name, record, file.notes).solution]
    if guess.is_gsm8k(record):
        return [replace(each, external_id=f"{file.identity}:{each.generator}") for each in gsm8k.parse(record)]
    if guess.refers(record):
        raise FormatError("it judges a trajectory of another file: import both into Stepmark")
    if name := guess.trace_of(record):
        return traces.READERS[name](record, file.notes)
    # The generator doesn't matter here, but the import's parser demands one.
    named = type(record)({**record, "generator": record.get("generator") or NOBODY})
    return [solutions.parse(file.columns(named), file.notes)]


def _with_id(solution: ParsedSolution, file: _File) -> Solution:
    problem, contexts = _as_read(solution)
    return Solution(solution.external_id or file.identity, problem, solution.steps, contexts)


def _as_read(solution: ParsedSolution) -> tuple[str, tuple[str, ...]]:
    """The problem's text, and what comes between the steps."""
    problem = rendering.problem_text(solution.problem.statement, solution.problem.conversation or ())
    return problem, tuple(rendering.context_text(turn) for turn in solution.turns or ())


def _judged(record: dict[str, Any], file: _File) -> list[ParsedLabelling]:
    if (labellings := _labellings_in(record, file)) is not None:
        return labellings
    raise FormatError("it says of no step whether it is right")


def _judged_traces(record: dict[str, Any], file: _File) -> Iterable[ParsedLabelling]:
    for labelling in _judged(record, file):
        yield from file.reading.leave_out("not_judged") if labelling.is_trajectory else [labelling]


def _wrong_steps(record: dict[str, Any], file: _File) -> Iterable[tuple[Solution, list[int], str]]:
    kind = str(record.get("classification") or "any")
    return [found for each in _judged(record, file) for found in _wrong_steps_of(each, file, kind)]


def _wrong_steps_of(labelling: ParsedLabelling, file: _File, kind: str) -> Iterable[tuple[Solution, list[int], str]]:
    ratings = {item.step: item.rating for item in labelling.completions if item.rating is not None}
    if len(ratings) < len(labelling.solution.steps):
        return file.reading.leave_out("not_judged")
    wrong = [step for step, rating in ratings.items() if rating == -1]
    return [(_with_id(labelling.solution, file), wrong, kind)]


def _first_errors(record: dict[str, Any], file: _File) -> Iterable[tuple[Solution, int]]:
    return [found for each in _judged(record, file) for found in _first_error(each, file)]


def _first_error(labelling: ParsedLabelling, file: _File) -> Iterable[tuple[Solution, int]]:
    ratings = [item.rating for item in labelling.path]
    if ratings[-1:] != [-1] and (None in ratings or len(ratings) < len(labelling.solution.steps)):
        return file.reading.leave_out("not_judged")
    return [(_with_id(labelling.solution, file), len(ratings) - 1 if ratings[-1] == -1 else -1)]
