"""The pool in numbers: by verdict, in all and per source."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet

from labeling.counts import rollups
from labeling.models import Solution, Verdict

FEW = 20_000


def named_now(counted: list[dict[str, Any]]) -> dict[str, Any]:
    """The current sources and generators, with their counts."""
    pool, known = Solution.objects.in_pool(), {row["source"]: row for row in counted}
    sources = [known.get(name, {"source": name} | _numbers(Counter())) for name in _distinct(pool, "source")]
    return {"sources": sources, "generators": [name for name in _distinct(pool, "generator") if name]}


def _distinct(pool: QuerySet[Solution], name: str) -> Iterator[str]:
    """Steps from one value to the next through the column's index: DISTINCT would read every row."""
    found = pool.order_by(name).values_list(name, flat=True)
    value = found.first()
    while value is not None:
        yield value
        value = found.filter(**{f"{name}__gt": value}).first()


def _count(_: UUID) -> dict[str, Any]:
    pool = Solution.objects.in_pool()
    return _counted(pool) | {
        "problems": pool.values("problem").distinct().count(),
        "labelled": pool.filter(tasks__labellings__isnull=False).distinct().count(),
    }


def _has_many(_: UUID) -> bool:
    return Solution.objects.order_by("pk")[FEW:].exists()


def _counted(pool: QuerySet[Solution]) -> dict[str, Any]:
    """By verdict, in all and per source, and the generators. One pass: the pool may have a million rows."""
    verdicts, sources, generators = Counter[str](), defaultdict[str, Counter[str]](Counter), set[str]()
    counted = pool.values_list("source", "generator", "verdict").annotate(number=Count("pk"))
    for source, generator, verdict, number in counted:
        verdicts[verdict] += number
        sources[source][verdict] += number
        generators.add(generator)
    listed = [{"source": name} | _numbers(found) for name, found in sorted(sources.items())]
    return _numbers(verdicts) | {"sources": listed, "generators": sorted(filter(None, generators))}


def _numbers(verdicts: Counter[str]) -> dict[str, Any]:
    return {"solutions": verdicts.total()} | {verdict: verdicts[verdict] for verdict in Verdict.values}


NONE: dict[str, Any] = _numbers(Counter()) | {"problems": 0, "labelled": 0, "sources": [], "generators": []}
ROLLED = rollups.Kind("pool", _count, _has_many)
