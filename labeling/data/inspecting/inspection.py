"""Inspects what an import of a file would store and lose, before the import or during it."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec

from labeling.data.formats import gsm8k, problems, solutions, traces
from labeling.data.formats.cutter import told, was_asked
from labeling.data.formats.findings import Doubt, Findings
from labeling.data.formats.labels import math_shepherd, openrlhf, prmbench, processbench, rlhflow, trl
from labeling.data.formats.labels.agents import (
    agent_process_bench,
    agentrx,
    codetracebench,
    labelled_traces,
    who_and_when,
)
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.data.formats.traces.taken import has_labels
from labeling.data.formats.traces.values import OURS
from labeling.data.importing import pool
from labeling.data.importing.labels import IncomingLabelling
from labeling.data.importing.reading import ImportReport, Numbered
from labeling.data.importing.referred import Judged, Referred
from labeling.data.importing.samples import Key, Keyed, Numbers
from labeling.data.problems import near
from labeling.models import Benchmark, Gold, Labelling, Overlap, Problem, Sample, Solution, Split
from labeling.rules.texts import splitting
from labeling.rules.texts.cutting import USUAL, Cutting
from labeling.rules.words import FileFormat, StepRule

LONG_STEP = 20_000  # characters: a person reads them for about a quarter of an hour
UNNAMED = "an import without a name"
LABEL_KEYS = {"label", "labels", "rating", "ratings", "error_steps", "process_labels"}
# Of formats that don't keep whole records: a record's keys that are not read, with their values.
UNREAD: dict[str, Callable[[Mapping[str, Any]], Iterator[tuple[str, object]]]] = {
    "problems": problems.unread,
    "solutions": solutions.unread,
    "gsm8k": gsm8k.unread,
    "processbench": processbench.unread,
    "processbench_labels": processbench.unread,
    "prmbench": prmbench.unread,
    "trl": trl.unread,
    "math_shepherd": math_shepherd.unread,
    "openrlhf": openrlhf.unread,
    "rlhflow": rlhflow.unread,
    "who_and_when": who_and_when.unread,
    "agent_process_bench": agent_process_bench.unread,
    "codetracebench": codetracebench.unread,
    "agentrx": agentrx.unread,
    "labelled_traces": labelled_traces.unread,
    **traces.UNREAD,
}
# Of formats that give texts rather than steps: the texts that we split, "" for a solution whose steps are given.
TEXTS: dict[str, Callable[[Mapping[str, Any]], list[str]]] = {
    "solutions": solutions.texts,
    "gsm8k": gsm8k.texts,
}


def notice(
    findings: Findings, line: int, record: dict[str, Any], *, file_format: str, cutting: Cutting = USUAL
) -> None:
    """Adds to the findings the record's fields that are not imported, and the origin of its steps."""
    findings.records += 1
    for path, value in UNREAD[file_format](record) if file_format in UNREAD else ():
        doubt = Doubt.LABELS if path in LABEL_KEYS else Doubt.UNREAD
        findings.add(doubt, line, value if isinstance(value, str) else msgspec.json.encode(value).decode(), path)
    if file_format in traces.READERS and has_labels(file_format, record):
        findings.add(Doubt.LABELS, line, FileFormat.LABELLED_TRACES.label, OURS)
    for text in TEXTS[file_format](record) if file_format in TEXTS else [""]:
        findings.steps[_steps_source(findings, line, text, cutting) if text else "given"] += 1


def _steps_source(findings: Findings, line: int, text: str, cutting: Cutting) -> str:
    if cutting.rule == StepRule.MODEL and told(cutting, text) is None:
        findings.add(Doubt.NOT_SPLIT if was_asked(cutting, text) else Doubt.UNASKED, line, text)
    elif cutting.rule != StepRule.USUAL:
        return cutting.rule
    return splitting.rule_for(text)


Held = dict[tuple[str, int], set[str]]  # a generator and a draw: its sources


class Said(NamedTuple):
    """The facts about a problem in the pool, or in the file so far."""

    reference_answer: str
    split: str
    is_trained_on: bool = False
    overlap: str = ""


class Where(NamedTuple):
    """The source of the solutions; this import, whose rows from an earlier attempt are no duplicates; the split of
    problems of which the file doesn't say it.
    """

    source: str
    origin: UUID | None
    split: str


class Inspection:
    """Compares what a file holds with the pool, and with itself; of each solution some 300 bytes are kept.

    `is_dry`: nothing is stored, so that the report's counts are made here.
    """

    def __init__(self, report: ImportReport, where: Where, *, is_dry: bool) -> None:
        self._report, self._findings = report, report.findings
        self._source, self._origin, self._split = where
        self._is_dry = is_dry
        self._numbers = Numbers()
        self._seen: set[bytes] = set()
        self._ids: dict[Key, UUID] = {}  # of known texts
        self._said: dict[str, Said] = {}
        self._fresh: list[tuple[int, str, str]] = []  # the batch's new problems: line, statement, overlap
        # Rows that this import stores count as part of its file alone, so that the findings are those of the dry run.
        self._alike, self._stored_until = near.Seen(), near.newest()
        self._has_benchmarks = Benchmark.objects.exists()

    def look(self, batch: Sequence[Numbered[Any]]) -> None:
        """Inspects a batch that one of the importers has parsed."""
        first = batch[0][1]
        if isinstance(first, IncomingLabelling):
            self._look_at_labellings(batch)
        elif isinstance(first, ParsedProblem):
            self._look_at_problems(batch)
        elif isinstance(first, Judged):
            self._look_at_gold([(line, item) for line, each in batch for item in each.items])
        else:
            self._look_at_solutions([(line, item) for line, items in batch for item in items])
        self._look_for_alike()

    def _look_at_gold(self, batch: Sequence[Numbered[Any]]) -> None:
        """Inspects gold: solutions with their ratings, and ratings of stored ones."""
        found = self._look_at_solutions([(line, item[0]) for line, item in batch if not isinstance(item, Referred)])
        self._count(golds=len(found) - _with_gold(found))
        stored = {item.solution: line for line, item in batch if isinstance(item, Referred)}
        others = Gold.objects.filter(solution__in=stored).exclude(origin=self._origin)
        known = {*others.values_list("solution", flat=True)}
        for solution in known:
            self._findings.add(Doubt.DUPLICATE, stored[solution], str(solution), "gold")
        many, new = sum(isinstance(item, Referred) for _, item in batch), len(stored.keys() - known)
        self._count(golds=new, duplicates=many - new)

    def _look_at_solutions(self, batch: Sequence[Numbered[Keyed]]) -> list[Key]:
        """Inspects solutions. Returns their keys, each once."""
        firsts = [(line, each) for line, each in batch if self._is_first("".join(each.key), line, each.item)]
        self._compare(firsts)
        found = [each.key for _, each in firsts]
        # Looked up once: texts that this import itself stores don't count as known.
        self._ids |= self._known(found)
        held = self._samples({self._ids[each.key] for _, each in batch if each.key in self._ids})
        for line, each in batch:
            self._look_at_draw(line, each, held.get(self._ids[each.key], {}) if each.key in self._ids else {})
        known = [held.get(self._ids[key], {}) for key in found if key in self._ids]
        shared = sum(not any(self._source in sources for sources in draws.values()) for draws in known)
        self._count(solutions=len(found) - len(known), shared=shared)
        return found

    def _look_at_draw(self, line: int, each: Keyed, held: Held) -> None:
        """Inspects a draw. `held`: the stored draws of its text."""
        item, statement = each.item, each.item.problem.statement
        number = self._numbers.next(item.external_id, *each.key, item.generator)
        is_duplicate = self._source in held.get((item.generator, number), ())
        if is_duplicate:
            self._findings.add(Doubt.DUPLICATE, line, statement, _source_text(self._source))
        for source in set().union(*held.values()) - {self._source} if not is_duplicate else ():
            self._findings.add(Doubt.KNOWN, line, statement, _source_text(source))
        self._count(duplicates=is_duplicate, draws=not is_duplicate)

    def _look_at_labellings(self, batch: Sequence[Numbered[IncomingLabelling]]) -> None:
        firsts = [(line, each) for line, each in batch if self._is_first(each.source_hash, line, each.solution.item)]
        rows = Labelling.objects.filter(source_hash__in=[each.source_hash for _, each in firsts])
        named = rows.values_list("source_hash", "origin", "task__round__phase__name")
        phases = {source_hash: f"“{phase}”" for source_hash, origin, phase in named if not self._is_own(origin)}
        self._compare([(line, each.solution) for line, each in firsts])
        for line, each in firsts:
            if phase := phases.get(each.source_hash):
                self._findings.add(Doubt.DUPLICATE, line, each.solution.item.problem.statement, phase)
        new = [each for _, each in firsts if each.source_hash not in phases]
        ratings = sum(one.rating is not None for each in new for one in each.record.completions)
        self._count(labellings=len(new), ratings=ratings, duplicates=len(batch) - len(new))

    def _look_at_problems(self, batch: Sequence[Numbered[ParsedProblem]]) -> None:
        keyed = [(line, pool.problem_hash(problem.statement, problem.conversation), problem) for line, problem in batch]
        stored = self._stored({text_hash for _, text_hash, _ in keyed} - self._said.keys())
        for line, text_hash, problem in keyed:
            is_new = text_hash not in stored and text_hash not in self._said
            if text_hash in stored and text_hash not in self._said:
                self._findings.add(Doubt.DUPLICATE, line, problem.statement, "the pool")
            elif not is_new:
                self._findings.add(Doubt.REPEATED, line, problem.statement)
            self._compare_problem(line, text_hash, problem, stored.get(text_hash))
            self._count(duplicates=not is_new)

    def _count(self, **counts: int) -> None:
        for name, number in counts.items() if self._is_dry else ():
            setattr(self._report, name, getattr(self._report, name) + number)

    def _is_own(self, origin: UUID | None) -> bool:
        return origin is not None and origin == self._origin

    def _is_first(self, key: str, line: int, item: ParsedSolution) -> bool:
        digest = hashlib.blake2b(key.encode(), digest_size=12).digest()
        is_first = digest not in self._seen
        self._seen.add(digest)
        if not is_first:
            self._findings.add(Doubt.REPEATED, line, item.problem.statement)
        return is_first

    def _compare(self, batch: Sequence[Numbered[Keyed]]) -> None:
        stored = self._stored({each.key[0] for _, each in batch} - self._said.keys())
        for line, each in batch:
            self._compare_problem(line, each.key[0], each.item.problem, stored.get(each.key[0]))
            self._look_at_texts(line, each.item)

    def _stored(self, problems: set[str]) -> dict[str, Said]:
        """The pool's facts about the problems that it has, except from this import."""
        found = Problem.objects.filter(text_hash__in=problems)
        rows = found.values_list("text_hash", "origin", "reference_answer", "split", "trained_on_at", "overlap")
        return {
            text_hash: Said(answer, split, trained is not None, overlap)
            for text_hash, origin, answer, split, trained, overlap in rows
            if not self._is_own(origin)
        }

    def _compare_problem(self, line: int, text_hash: str, problem: ParsedProblem, stored: Said | None) -> None:
        """Compares a problem with the first facts about it: the pool's, else those of its first record in the file."""
        said = Said(problem.reference_answer, problem.split or self._split)
        first = self._said.get(text_hash)
        if first is None:
            self._count(problems=stored is None)
            first = self._said[text_hash] = stored or said
            self._fresh.append((line, problem.statement, first.overlap))
        if said.reference_answer and said.reference_answer != first.reference_answer:
            says = f"{said.reference_answer}, but {first.reference_answer or 'none'} before: {problem.statement}"
            self._findings.add(Doubt.REFERENCE, line, says)
        if said.split == Split.TEST != first.split and first.is_trained_on:
            self._findings.add(Doubt.TRAINED_ON, line, problem.statement)
        elif said.split and said.split != first.split:
            is_held_out = said.split == Split.TEST
            self._findings.add(Doubt.HELD_OUT if is_held_out else Doubt.STAYS_HELD_OUT, line, problem.statement)
            self._said[text_hash] = Said(first.reference_answer, Split.TEST)
            self._count(held_out=is_held_out and stored is not None)

    def _look_for_alike(self) -> None:
        """Finds problems that are near others, in the file or in the pool, or on a benchmark; each once."""
        texts = [statement for _, statement, _ in self._fresh]
        likest = [found[0] if found else "" for found in self._alike.add(texts)]
        asked = [text for text, earlier in zip(texts, likest, strict=True) if not earlier]
        in_pool = dict(zip(asked, near.some_of(asked, until=self._stored_until), strict=True))
        found = zip(self._fresh, likest, self._on_benchmarks(texts), strict=True)
        for (line, statement, overlap), earlier, benchmarks in found:
            if overlap == Overlap.BENCHMARK:
                self._findings.add(Doubt.BENCHMARK, line, statement)
            elif benchmarks:
                self._findings.add(Doubt.NEAR_BENCHMARK, line, statement)
            if other := earlier or next((each.statement for each in in_pool[statement]), ""):
                self._findings.add(Doubt.NEAR, line, f"{statement} | {other}")
        self._fresh.clear()

    def _on_benchmarks(self, texts: list[str]) -> list[list[near.Near]]:
        if not self._has_benchmarks:
            return [[] for _ in texts]
        return near.of(texts, until=self._stored_until, overlap=Overlap.BENCHMARK)

    def _known(self, keys: Collection[Key]) -> dict[Key, UUID]:
        """The solutions that are stored already, except by an earlier attempt of this import."""
        ids = _known(keys)
        own = Solution.objects.filter(pk__in=ids.values(), origin=self._origin) if ids and self._origin else ()
        left_out = {each.pk for each in own}
        return {key: pk for key, pk in ids.items() if pk not in left_out}

    def _samples(self, solutions: Collection[UUID]) -> dict[UUID, Held]:
        """The draws that others have stored of the solutions."""
        found = defaultdict[UUID, Held](dict)
        rows = Sample.objects.filter(solution__in=solutions) if solutions else Sample.objects.none()
        others = rows.exclude(origin=self._origin) if self._origin else rows
        for pk, generator, draw, source in others.values_list("solution", "generator", "draw", "source"):
            found[pk].setdefault((generator, draw), set()).add(source)
        return found

    def _look_at_texts(self, line: int, item: ParsedSolution) -> None:
        self._findings.lengths[len(item.steps)] += 1
        longest = max(item.steps, key=len)
        if len(longest) > LONG_STEP:
            self._findings.add(Doubt.LONG_STEP, line, longest)
        if item.is_correct is None and not item.answer:
            self._findings.add(Doubt.NO_ANSWER, line, item.steps[-1])
        elif item.is_correct is None and not item.problem.reference_answer:
            self._findings.add(Doubt.NO_REFERENCE, line, item.problem.statement)


def _known(keys: Collection[Key]) -> dict[Key, UUID]:
    return pool.known_solutions(keys, pool.known_problems({problem for problem, _ in keys}))


def _source_text(source: str) -> str:
    return f"“{source}”" if source else UNNAMED


def _with_gold(keys: Collection[Key]) -> int:
    return Gold.objects.filter(solution__in=_known(keys).values()).values("solution").distinct().count()
