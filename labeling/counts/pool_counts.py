"""Counts the pool by verdict: in all, per source and per generator."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet

from labeling.counts import rollups
from labeling.models import Problem, Sample, Solution, Verdict

FEW = 20_000


def named_now(counted: dict[str, Any]) -> dict[str, Any]:
    """The current sources and generators, with their counts."""
    return {
        "sources": _current("source", counted["sources"], _of_source(Counter(), 0)),
        "generators": _current("generator", counted["generators"], _of_generator(Counter())),
    }


def _current(name: str, counted: list[dict[str, Any]], none: dict[str, Any]) -> list[dict[str, Any]]:
    known = {row[name]: row for row in counted}
    return [known.get(value, {name: value} | none) for value in _distinct(name) if value or name == "source"]


def _distinct(name: str) -> Iterator[str]:
    """Yields the column's values, stepping through its index: DISTINCT would read every row."""
    found = Sample.objects.order_by(name).values_list(name, flat=True)
    value = found.first()
    while value is not None:
        yield value
        value = found.filter(**{f"{name}__gt": value}).first()


def _count_pool(_: UUID) -> dict[str, Any]:
    pool = Solution.objects.in_pool()
    return _count_solutions(pool) | {
        "problems": pool.values("problem").distinct().count(),
        "labelled": pool.filter(tasks__labellings__isnull=False).distinct().count(),
        "problem_sources": _problem_sources(),
    }


def _problem_sources() -> list[str]:
    """The names that problems were imported under, with solutions or without."""
    rows = Problem.objects.filter(replaced_by=None).exclude(source="")
    return list(rows.order_by("source").values_list("source", flat=True).distinct())


def _has_many(_: UUID) -> bool:
    return Solution.objects.order_by("pk")[FEW:].exists()


def _count_solutions(pool: QuerySet[Solution]) -> dict[str, Any]:
    """Counts solutions by verdict, in all, per source and per generator.

    One pass over each table: the pool may have a million rows.
    """
    texts, draws = defaultdict[str, Counter[str]](Counter), Counter[str]()
    generators = defaultdict[str, Counter[str]](Counter)
    columns = ("source", "generator", "solution__verdict")
    samples = Sample.objects.filter(repeat=0, solution__in_pool=True).order_by().values_list(*columns)
    for source, generator, verdict, number in samples.annotate(Count("pk")):
        draws[source] += number
        generators[generator][verdict] += number
    by_source = samples.values_list("source", "solution__verdict")
    for source, verdict, number in by_source.annotate(Count("solution", distinct=True)):
        texts[source][verdict] = number
    verdicts = Counter(dict(pool.order_by().values_list("verdict").annotate(Count("pk"))))
    return _numbers(verdicts) | {
        "sources": [{"source": name} | _of_source(texts[name], draws[name]) for name in sorted(draws)],
        "generators": [{"generator": name} | _of_generator(generators[name]) for name in sorted(generators) if name],
    }


def _of_source(verdicts: Counter[str], draws: int) -> dict[str, Any]:
    return _numbers(verdicts) | {"draws": draws}


def _of_generator(verdicts: Counter[str]) -> dict[str, Any]:
    return {"draws": verdicts.total()} | {verdict: verdicts[verdict] for verdict in Verdict.values}


def _numbers(verdicts: Counter[str]) -> dict[str, Any]:
    return {"solutions": verdicts.total()} | {verdict: verdicts[verdict] for verdict in Verdict.values}


NONE: dict[str, Any] = _numbers(Counter()) | {
    "problems": 0,
    "labelled": 0,
    "sources": [],
    "problem_sources": [],
    "generators": [],
}
ROLLED = rollups.Kind("pool", _count_pool, _has_many)
