"""Yields the labels as they stand: for each task its ruling, else the consensus if one is requested, else each current
labelling.

Previews, snapshots, trainings and exports all use these; labellings that a ruling overruled are left out. A ruling
stands until another case on its task is settled, whatever is submitted or revised meanwhile. It never counts as gold,
even if it was made gold, nor as given up: an expert has decided on a task that people worked on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, zip_longest
from typing import Any
from uuid import UUID

from django.db.models import Case, Count, Exists, OuterRef, Q, QuerySet, Value, When

from labeling.data.exporting import rows
from labeling.data.exporting.choosing import WITHDRAWN, LabelFilter
from labeling.data.exporting.rows import Behind, Error, Settled
from labeling.models import (
    Consensus,
    ConsensusMethod,
    Gold,
    Labelling,
    Overlap,
    Phase,
    RatedCompletion,
    Round,
    Task,
)
from labeling.models.consensus import OF_ERRORS
from labeling.models.pool import not_withdrawn
from labeling.rules.labelled import QUALITY_CONTROL, SCREENING, Labelled

RULING = ConsensusMethod.ADJUDICATED
NAMES = {1: "positive", 0: "neutral", -1: "negative", None: "unsure"}
KINDS = {"": "labellings", RULING: "rulings"}  # the others are consensuses


def _overlaps(overlap: str, prefix: str) -> Q:
    return Q(**{f"{prefix}solution__problem__overlap": overlap})


def problem_of(prefix: str = "") -> tuple[Any, Any]:
    """Columns of the problem of a task at the prefix: its split and key for draws (`rows.split`, `rows.drawn_by`)."""
    return rows.split(prefix), rows.drawn_by(prefix)


def _is_withdrawn(prefix: str) -> Q:
    return ~not_withdrawn(f"{prefix}solution", prefix.removesuffix("__") or "pk")


# Conditions on a task: it, its solution or its problem is withdrawn; it is screening, or gold (hidden among others, or
# imported as quality control); its problem is on a benchmark, or near one.
OF_TASK: dict[str, Callable[[str], Q]] = {
    WITHDRAWN: _is_withdrawn,
    "screening": lambda prefix: Q(**{f"{prefix}round__number": SCREENING}),
    "gold": lambda prefix: Q(**{f"{prefix}is_gold": True}) | Q(**{f"{prefix}round__number": QUALITY_CONTROL}),
    **{overlap: partial(_overlaps, overlap) for overlap in Overlap.values},
}


@dataclass
class LabelCounts:
    """Counts of the labels as they stand, by kind and by rating."""

    kinds: Counter[str] = field(default_factory=Counter)
    ratings: Counter[int | None] = field(default_factory=Counter)

    def add(self, method: str, ratings: Iterable[int | None]) -> None:
        self.kinds[KINDS.get(method, "consensuses")] += 1
        self.ratings.update(ratings)

    def as_json(self) -> dict[str, int]:
        kinds = {name: self.kinds[name] for name in (*KINDS.values(), "consensuses")}
        ratings = {name: self.ratings[rating] for rating, name in NAMES.items()}
        return {**kinds, "labels": sum(ratings.values()) - ratings["unsure"], **ratings}


def stream(label_filter: LabelFilter) -> Iterator[Labelled]:
    """Yields rulings by task id, then consensuses by round and task id, then labellings by their own id.

    In this order a task that is settled meanwhile may be missing, but never appears twice.
    """
    # A ruling given while this runs can only remove its task from `labellings`, which are read last.
    found = _settled(label_filter)
    while batch := list(islice(found, rows.BATCH)):
        yield from rows.of_tasks(batch, _behind(batch, label_filter))
    yield from rows.of_labellings(labellings(label_filter))


def count_labels(label_filter: LabelFilter) -> tuple[LabelCounts, Counter[tuple[str, str]]]:
    """Counts, by query, the labels that `stream` yields, and its items by their problem's split and key for draws."""
    chosen, tally = labellings(label_filter), LabelCounts()
    mix = RatedCompletion.objects.filter(labelling__in=chosen).order_by().values_list("rating")
    tally.ratings.update(dict(mix.annotate(Count("pk"))))
    numbers = chosen.order_by().values_list(*problem_of("task__")).annotate(Count("pk"))
    problems = Counter({(split, drawn_by): number for split, drawn_by, number in numbers.iterator()})
    tally.kinds[KINDS[""]] = problems.total()
    for each in _settled(label_filter):
        tally.add(each.method, each.ratings)
        problems[each.problem] += 1
    return tally, problems


def exist(label_filter: LabelFilter) -> bool:
    return labellings(label_filter).exists() or next(_settled(label_filter), None) is not None


def labellings(label_filter: LabelFilter) -> QuerySet[Labelling]:
    """Selects the labellings that neither a ruling nor a consensus replaces, and that the filter doesn't leave out."""
    found = given(label_filter).exclude(_is_settled(label_filter))
    for reason in label_filter.leaves_out:
        found = found.exclude(_is(reason))
    return found


def left_out(label_filter: LabelFilter) -> dict[str, int]:
    """Counts the labellings left out, each under one reason; `settled`: replaced by a ruling or the consensus."""
    whens = [When(_is(reason), then=Value(reason)) for reason in label_filter.leaves_out]
    why = Case(*whens, When(_is_settled(label_filter), then=Value("settled")), default=Value(""))
    rows = given(label_filter).order_by().annotate(why=why).values_list("why").annotate(Count("pk"))
    return {**dict.fromkeys([*label_filter.leaves_out, "settled"], 0), **{why: many for why, many in rows if why}}


def overlaps(label_filter: LabelFilter) -> dict[str, Any]:
    """Counts the chosen labels' problems on and near a benchmark, left out or not, and names these benchmarks."""
    wide = replace(label_filter, include=(*label_filter.include, *Overlap.values), consensus="")
    found = set[tuple[UUID, str, str | None]]()
    for chosen in (labellings(wide), rulings(wide)):
        names = [f"task__solution__problem{name}" for name in ("", "__overlap", "__benchmarks__name")]
        found.update(chosen.order_by().exclude(**{names[1]: ""}).values_list(*names).distinct())
    numbers = Counter(overlap for _, overlap in {each[:2] for each in found})
    benchmarks = Counter(name for _, _, name in found if name)
    return {**{overlap: numbers[overlap] for overlap in Overlap.values}, "benchmarks": dict(sorted(benchmarks.items()))}


def people(label_filter: LabelFilter) -> dict[str, int]:
    """The people to choose from, by user name: how many labellings (settled ones included) and rulings they have."""
    everyone = replace(label_filter, annotators=(), without_annotators=())
    found = given(everyone).filter(annotator__isnull=False)
    for reason in everyone.leaves_out:
        found = found.exclude(_is(reason))
    numbers = Counter(dict(found.order_by().values_list("annotator__username").annotate(Count("pk"))))
    numbers.update(rulings(everyone).values_list("case__by__username", flat=True))
    return dict(sorted(numbers.items()))


def _is_settled(label_filter: LabelFilter) -> Q:
    """True of labellings that a ruling or the consensus replaces."""
    settled = Q(_ruled("task")) | Q(overruled_by__isnull=False)
    return settled | Q(task__in=shared(label_filter)) if label_filter.consensus else settled


def given(label_filter: LabelFilter) -> QuerySet[Labelling]:
    """Every current labelling of the chosen people on the chosen tasks."""
    chosen = label_filter.of_tasks("task__") & label_filter.of_people("annotator")
    found: QuerySet[Labelling] = Labelling.objects.current().filter(chosen)
    return found


def compared(label_filter: LabelFilter) -> QuerySet[Any]:
    """Selects the labellings from which a consensus of the chosen people is computed: in whole rounds, which show how
    reliable people are.
    """
    return Labelling.objects.comparable().filter(label_filter.of_people("annotator")).exclude(_is_withdrawn("task__"))


def shared(label_filter: LabelFilter) -> QuerySet[Any]:
    """The tasks that have a consensus: two or more of the chosen people can be compared."""
    numbers = compared(label_filter).order_by().values("task").annotate(number=Count("pk"))
    tasks: QuerySet[Any] = numbers.filter(number__gt=1).values("task")
    return tasks


def _settled(label_filter: LabelFilter) -> Iterator[Settled]:
    columns = ("task", "ratings", *problem_of("task__"), "case__by", "computed_at")
    given = rulings(label_filter).order_by("task").values_list(*columns, *OF_ERRORS, "result")
    for task, ratings, *problem, by, at, kinds, words, causes, result in given.iterator():
        errors = [
            Error(kind or "", start, end, cause)
            for kind, span, cause in zip_longest(kinds or (), words or (), causes or ())
            for start, end in [span or (None, None)]
        ]
        yield Settled(task, RULING, ratings, (problem[0], problem[1]), by, at, errors, result)
    if label_filter.consensus:
        yield from _consensuses(label_filter)


def rulings(label_filter: LabelFilter) -> QuerySet[Consensus]:
    chosen = label_filter.of_tasks("task__") & label_filter.of_people("case__by")
    return _published(label_filter, Consensus.objects.filter(chosen, method=RULING), "task__")


def _consensuses(label_filter: LabelFilter) -> Iterator[Settled]:
    """Yields consensuses, computed anew round by round: those stored for the agreement page may be outdated."""
    from labeling.campaign import consensus  # noqa: PLC0415  numpy, which a plain export can do without

    chosen = Task.objects.filter(label_filter.of_tasks(), ~_ruled("pk"), pk__in=shared(label_filter))
    tasks = _published(label_filter, chosen)
    if "gold" in label_filter.leaves_out:
        tasks = tasks.filter(~_has_gold())
    # Round by round, from all labels of the chosen people in it: Dawid-Skene learns from them how reliable each one is.
    for round_ in Round.objects.filter(tasks__in=tasks).distinct().select_related("phase").order_by("pk"):
        of_round = compared(label_filter).filter(task__round=round_)
        opinions = consensus.together(consensus.rated_by(of_round), label_filter.consensus, phase=round_.phase)
        for task, *problem in tasks.filter(round=round_).order_by("pk").values_list("pk", *problem_of()):
            if task in opinions:  # no opinion if all were unsure of every step
                yield Settled(task, label_filter.consensus, opinions[task][0], (problem[0], problem[1]))


def _behind(batch: Sequence[Settled], label_filter: LabelFilter) -> dict[UUID, Behind]:
    """The labellings behind each ruling or consensus, by task."""
    ruled = Labelling.objects.current().filter(task__in=[each.task for each in batch if each.method == RULING])
    agreed = compared(label_filter).filter(task__in=[each.task for each in batch if each.method != RULING])
    found = dict[UUID, Behind]()
    for labellings_ in (ruled, agreed):
        for task, pk, result in labellings_.order_by("pk").values_list("task", "pk", "result"):
            behind = found.setdefault(task, Behind([], set()))
            behind.ids.append(str(pk))
            behind.results.update([result] if result else [])
    return found


def _published(label_filter: LabelFilter, found: QuerySet[Any], prefix: str = "") -> QuerySet[Any]:
    """Leaves out rows whose task, at the prefix, the filter leaves out for a reason in OF_TASK."""
    for reason in OF_TASK.keys() & {*label_filter.leaves_out}:
        found = found.exclude(OF_TASK[reason](prefix))
    return found


def _ruled(path: str) -> Exists:
    """True if the task at the path has a ruling."""
    return Exists(Consensus.objects.filter(task=OuterRef(path), method=RULING))


def _has_gold(prefix: str = "") -> Exists:
    """True if the solution of the task at the prefix is gold, even if only since it was labelled: gold measures people.

    A gold set that only other phases use doesn't count: another campaign's gold takes nothing from this one's labels.
    """
    phase = f"{prefix}round__phase"
    here = Q(gold_set=OuterRef(f"{phase}__gold_set"))
    here |= Q(gold_set__in=Round.objects.filter(phase=OuterRef(OuterRef(phase))).values("gold_set"))
    somewhere = Q(gold_set__in=Phase.objects.values("gold_set")) | Q(gold_set__in=Round.objects.values("gold_set"))
    golds = Gold.objects.filter(solution=OuterRef(f"{prefix}solution")).exclude(gold_set="")
    return Exists(golds.filter(here | ~somewhere))


def _is(reason: str) -> Q:
    """True of labellings that the reason, WITHDRAWN or one of INCLUDABLE, leaves out."""
    if reason in {WITHDRAWN, "screening", *Overlap.values}:
        return OF_TASK[reason]("task__")
    # A ruling that was made gold still stands for its own task.
    if reason == "gold":
        return OF_TASK[reason]("task__") | (Q(_has_gold("task__")) & ~Q(_ruled("task")))
    return Q(finish_reason=reason) & ~Q(_ruled("task"))
