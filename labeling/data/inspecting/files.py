"""A file of any format: its first records as they will look, what an import would find, and the import."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Unpack
from uuid import UUID

import msgspec

from labeling.data.formats import columns, fields, guess, problems
from labeling.data.formats import files as containers
from labeling.data.formats.columns import Columns
from labeling.data.formats.cutter import Cutter, HandCut, text_hash
from labeling.data.formats.files import LineError
from labeling.data.formats.findings import EXAMPLE_LENGTH, Findings
from labeling.data.formats.labels import READERS, SEVERAL, has_ratings, read_all
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.data.images import Keeper
from labeling.data.importing import referred
from labeling.data.importing.gold import import_gold
from labeling.data.importing.labels import import_labels
from labeling.data.importing.marking import Shown
from labeling.data.importing.pool import FORMATS, NOTHING_SAID, ProblemOptions, import_solutions
from labeling.data.importing.problems import import_problems
from labeling.data.importing.reading import How, ImportReport
from labeling.data.importing.referred import Referred
from labeling.data.inspecting import inspection, model_splitting
from labeling.data.inspecting.inspection import Inspection, Where
from labeling.errors import DomainError
from labeling.models import Solution
from labeling.rules.texts.cutting import USUAL, Cutting
from labeling.rules.traces.parts import Part, Turn
from labeling.rules.words import FileFormat, StepRule

HEAD_LINES = 20
HEAD_BYTES = 1 << 19  # it is stored with the import
SHOWN = 20

Head = Sequence[tuple[int, Any, bool]]


class UnknownText(DomainError, code="unknown_text"):
    """No such text is in the first lines of the file."""


@dataclass(frozen=True)
class Options:
    """Options for reading a file, and its destination. `target`: the source of solutions, the phase of labels, or the
    gold set.
    """

    file_format: str = "solutions"
    target: str = ""
    of_problems: ProblemOptions = NOTHING_SAID
    columns: Mapping[str, str] = field(default_factory=dict)  # of other names: the fields of ours that they stand for
    generator: str = ""  # of records without one
    cutting: Cutting = USUAL  # of texts into steps
    by_hand: Sequence[HandCut] = ()  # texts that are cut otherwise

    @property
    def source(self) -> str:
        """The source of the solutions, if they go into the pool."""
        return self.target or (self.file_format if self.becomes == "gold" else "")

    @property
    def becomes(self) -> str:
        return FileFormat(self.file_format).traits.becomes


def go_through(
    path: Path, options: Options, *, now: datetime, origin: UUID | None = None, **how: Unpack[How]
) -> ImportReport:
    """Imports the file; with `is_dry`, reports what that would store. The report's findings are the same either way."""
    report, keeper = how.setdefault("report", ImportReport()), Keeper()
    if not how.get("is_dry"):
        report.notes.keep_image = keeper.keep
    try:
        _go_through(path, options, now, origin, **how)
    finally:
        keeper.register(origin)  # also for what was stored before it was broken off: undoing finds it
    keeper.check()
    return report


def _go_through(path: Path, options: Options, now: datetime, origin: UUID | None, **how: Unpack[How]) -> ImportReport:
    report, options = how["report"], _with_told(path, options, how.get("on_bytes"))
    where = Where(options.source, origin, options.of_problems.of_format(options.file_format).split)
    how["look"] = Inspection(report, where, is_dry=how.get("is_dry", False)).look
    how["notice"] = partial(_notice, _renaming(options, Notes()), options)
    shared: dict[str, Any] = {"of_problems": options.of_problems, "origin": origin, **how}
    if options.becomes == "problems":
        return import_problems(path, source=options.target, **shared)
    shared["file_format"] = options.file_format
    if options.becomes == "gold":
        return import_gold(path, gold_set=options.target, **shared)
    if options.becomes == "labellings":
        return import_labels(path, now=now, phase=options.target, **shared)
    shared |= {"columns": options.columns, "generator": options.generator}
    shared |= {"cutting": options.cutting, "by_hand": options.by_hand}
    return import_solutions(path, source=options.target, **shared)


def _with_told(path: Path, options: Options, on_bytes: Callable[[int], None] | None) -> Options:
    """The options with the model's answers on the file's texts, if it is to split them."""
    if options.cutting.rule != StepRule.MODEL or options.file_format not in inspection.TEXTS:
        return options
    read = 0

    def look(done: int = 0) -> None:
        nonlocal read
        read = max(done, read)
        if on_bytes is not None:
            on_bytes(read)

    told = model_splitting.ask(options.cutting, _texts(path, options, look), look)
    return replace(options, cutting=options.cutting._replace(told=told))


def _texts(path: Path, options: Options, on_bytes: Callable[[int], None]) -> Iterator[str]:
    """Yields the texts that are to be split. Bad lines are passed over: reading them to import them reports them."""
    notes = Notes()
    renamed = _renaming(options, notes)
    for item in containers.read_records(path, on_bytes=on_bytes):
        if not isinstance(item, LineError):
            with suppress(Exception):
                yield from [each.text for each in _parsed(renamed(item[1]), options, notes) if each.text]


def recalled(lines: Head, options: Options) -> Options:
    """The options with the model's stored answers on the texts in the head, if it is to split them."""
    if options.cutting.rule != StepRule.MODEL:
        return options
    read = (each[2] for each in _read_head(lines, options, Notes()) if not isinstance(each, LineError))
    told = model_splitting.recall(options.cutting, [each.text for parsed in read for each in parsed if each.text])
    return replace(options, cutting=options.cutting._replace(told=told))


Renaming = Callable[[dict[str, Any]], dict[str, Any]]


def _renaming(options: Options, notes: Notes) -> Renaming:
    """Returns a function that renames a record's columns to our fields."""
    return (
        Columns(notes, options.columns, options.generator)
        if options.file_format == "solutions"
        else lambda record: record
    )


def _notice(renamed: Renaming, options: Options, findings: Findings, line: int, record: dict[str, Any]) -> None:
    inspection.notice(findings, line, renamed(record), file_format=options.file_format, cutting=options.cutting)


def head(path: Path) -> Head:
    """The file's first lines: the number, a record or the reason why there is none, and whether it is a row of CSV.

    Raises Unreadable.
    """
    found, size = list[tuple[int, Any, bool]](), 0
    for item in islice(containers.read_records(path), HEAD_LINES):
        if isinstance(item, LineError):
            found.append((item.line, item.reason, False))
        else:
            found.append((*item, isinstance(item[1], fields.Cells)))
        size += len(msgspec.json.encode(found[-1]))
        if size > HEAD_BYTES:
            break
    return found


def guessed(lines: Head) -> str:
    """The name of the format that the first record has; empty where it is like none."""
    return next((guess.format_of(record) for _, record, _ in lines if isinstance(record, dict)), "")


def guessed_format(lines: Head, *, has_solutions: bool = False) -> str:
    """The format that a file is read as unless another is chosen. `has_solutions`: somebody has named columns or the
    generator of its solutions.
    """
    name = guessed(lines)
    found = next((value for value, label in FileFormat.choices if label == name), FileFormat.SOLUTIONS.value)
    return FileFormat.SOLUTIONS.value if has_solutions and found == FileFormat.PROBLEMS else found


def preview_file(
    lines: Head, options: Options, shown: Shown | None = None, *, is_rated: bool = False
) -> dict[str, Any]:
    """The first good records as they will look, the bad lines among them, and what the import would lose of the head.

    `is_rated`: an inspection has found a -1 among the labels of the whole file.
    """
    findings, notes = Findings(), Notes()
    notes.has_ratings = lambda: is_rated or has_ratings(lines)
    shown, texts = shown or Shown(), list[ParsedSolution]()
    records = list[dict[str, Any]]()
    bad_lines = list[dict[str, Any]]()
    for read in _read_head(lines, options, notes):
        if isinstance(read, LineError):
            bad_lines.append({"line": read.line, "reason": read.reason})
            continue
        line, record, parsed = read
        inspection.notice(findings, line, record, file_format=options.file_format, cutting=options.cutting)
        records += [_look(line, each, options) for each in parsed]
        texts += [each.solution for each in parsed]
    is_ours = options.file_format == "solutions"
    statement_markup, markup = shown.settle(texts)
    return {
        "records": records[:SHOWN],
        "markup": markup,
        "statement_markup": statement_markup,
        "bad_lines": bad_lines,
        "columns": _columns(lines, options) if is_ours else [],
        "doubts": findings.doubts(notes),
    }


def _columns(lines: Head, options: Options) -> list[dict[str, str]]:
    """The keys of the records, each with the field that it is read as (empty: none), and its first value."""
    examples: dict[str, Any] = {}
    for _, record, _ in lines:
        for key, value in record.items() if isinstance(record, dict) else ():
            examples.setdefault(key, value)
    names = {name: name for name in columns.OWN} | columns.guessed(examples) | dict(options.columns)
    return [
        {"name": key, "field": names.get(key, ""), "example": _as_text(value)[:EXAMPLE_LENGTH]}
        for key, value in examples.items()
    ]


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


class _Parsed(NamedTuple):
    """A solution, the ratings of its steps, if the format has such, and the text that was cut into them, if any.
    `is_stored`: it was imported before.
    """

    solution: ParsedSolution
    ratings: Sequence[int | None] = ()
    text: str = ""
    is_stored: bool = False


def find_text(lines: Head, options: Options, line: int, wanted: str) -> str:
    """The text in this line of the head that has this hash. Raises UnknownText."""
    for read in _read_head(lines, options, Notes()):
        found = read[2] if not isinstance(read, LineError) and read[0] == line else ()
        for each in found:
            if each.text and text_hash(each.text) == wanted:
                return each.text
    raise UnknownText("This text is not among the first ones of the file, as it is read now.")


def _read_head(
    lines: Head, options: Options, notes: Notes
) -> Iterator[tuple[int, dict[str, Any], list[_Parsed]] | LineError]:
    renamed = _renaming(options, notes)
    for line, given, is_csv in lines:
        notes.line = line
        try:
            if isinstance(given, str):
                raise DomainError(given)
            record = renamed(fields.Cells(given) if is_csv else given)
            parsed = list(_parsed(record, options, notes))
        except DomainError as error:
            yield LineError(line, str(error))
        else:
            yield line, record, parsed


def _look(line: int, parsed: _Parsed, options: Options) -> dict[str, Any]:
    solution, problem = parsed.solution, parsed.solution.problem
    as_row = msgspec.to_builtins if parsed.is_stored else _without_images
    text_id = text_hash(parsed.text) if parsed.text else ""
    return {
        "line": line,
        "problem": problem.statement,
        "reference_answer": problem.reference_answer,
        "split": problem.split or options.of_problems.of_format(options.file_format).split or "train",
        "generator": solution.generator,
        "answer": solution.answer,
        "is_correct": solution.is_correct,
        "steps": list(solution.steps),
        "turns": solution.turns and [{"parts": as_row(turn.parts), "agent": turn.agent} for turn in solution.turns],
        "conversation": problem.conversation and as_row(problem.conversation),
        "ratings": parsed.ratings,
        "text_hash": text_id,
        "is_cut_by_hand": any((each["line"], each["text_hash"]) == (line, text_id) for each in options.by_hand),
    }


def _without_images(parts: Iterable[Part]) -> list[dict[str, Any]]:
    """The parts as a row will hold them, but without images: none is kept yet."""
    return [msgspec.to_builtins(msgspec.structs.replace(part, image="")) for part in parts]


def _parsed(record: dict[str, Any], options: Options, notes: Notes) -> Iterator[_Parsed]:
    if options.becomes == "problems":
        yield _Parsed(ParsedSolution(problems.parse(record), (), "", ""))
    elif reference := referred.reference_in(record, options.file_format):
        takes_all = referred.takes_all_steps(options.file_format, options.target)
        known = referred.known([reference.external_id], options.target, takes_all_steps=takes_all)
        yield _stored(known.referred(reference, notes))
    elif options.file_format in READERS or options.file_format in SEVERAL:
        for labels in read_all(options.file_format, record, notes):
            takes_all = options.becomes == "gold" and referred.takes_all_steps(options.file_format, options.target)
            yield _Parsed(labels.solution, referred.gold_labels(labels, takes_all_steps=takes_all).ratings)
    else:
        texts, cutter = list[str](), Cutter(notes, options.cutting, options.by_hand)

        def split(text: str) -> list[str]:
            texts.append(text)
            return cutter(text)

        for number, solution in enumerate(FORMATS[options.file_format](record, notes, split=split)):
            yield _Parsed(solution, (), texts[number] if texts else "")


def _stored(judged: Referred) -> _Parsed:
    """The stored solution that a record judges, with the record's ratings."""
    row = Solution.objects.select_related("problem").get(pk=judged.solution)
    said, turns = row.problem.conversation, row.turns
    problem = ParsedProblem(
        row.problem.statement,
        row.problem.reference_answer,
        split=row.problem.split,
        conversation=said and msgspec.convert(said, tuple[Part, ...]),
    )
    solution = ParsedSolution(
        problem,
        tuple(row.steps),
        row.answer,
        row.generator,
        turns=turns and msgspec.convert(turns, tuple[Turn, ...]),
    )
    return _Parsed(solution, judged.labels.ratings, is_stored=True)
