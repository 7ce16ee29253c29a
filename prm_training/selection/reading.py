"""Reads candidates from the database in the order of a rule, a page at a time, since there may be a million."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from django.db.models import CharField, Exists, OuterRef, QuerySet, UUIDField, Value
from django.db.models.functions import MD5, Cast, Concat, Replace

from labeling.models import Problem
from prm_training.selection.rules import Candidate, Rule, order

BATCH = 1000
PROBLEMS = 250
COLUMNS = ("pk", "problem", "verdict", "log_score", "answer", "text_hash", "problem__text_hash")


def ranked(rule: Rule, pool: QuerySet[Any], group: str = "") -> Iterable[Candidate]:
    """Yields candidates in the order of `rules.order`, read a page at a time. `group`: the column that quotas go by."""
    columns = (*COLUMNS, group) if group else COLUMNS
    if rule.traits.by_problem:
        return _within_problems(rule, pool, columns)
    if rule.traits.is_random:
        by_text = pool.order_by("text_hash", "problem")  # has an index
        parts = by_text.filter(text_hash__gte=rule.start), by_text.filter(text_hash__lt=rule.start)
        return chain.from_iterable(_read_pages(part.values_list(*columns), "text_hash__gte") for part in parts)
    return _read_pages(pool.order_by("-log_score", _tie_break(rule)).values_list(*columns), "log_score__lte")


def _within_problems(rule: Rule, pool: QuerySet[Any], columns: Sequence[str]) -> Iterator[Candidate]:
    """Yields all candidates of a few problems at a time, in the order in which problems are drawn."""
    problems = Problem.objects.filter(Exists(pool.filter(problem=OuterRef("pk")))).order_by("text_hash")
    by_hash = problems.values_list("text_hash", "pk")
    for part in (by_hash.filter(text_hash__gte=rule.start), by_hash.filter(text_hash__lt=rule.start)):
        page = part
        while drawn := list(page[:PROBLEMS]):
            rows = pool.filter(problem__in=[pk for _, pk in drawn]).values_list(*columns)
            yield from sorted((Candidate(*row) for row in rows), key=order(rule))
            page = part.filter(text_hash__gt=drawn[-1][0])


def _tie_break(rule: Rule) -> Cast:
    """The hash of `rules.order`, as a UUID: texts compare slowly, and by the database's locale."""
    plain = Replace(Cast("pk", CharField(max_length=36)), Value("-"))
    return Cast(MD5(Concat(Value(f"{rule.seed}:"), plain)), UUIDField())


def _read_pages(rows: QuerySet[Any], rest: str) -> Iterator[Candidate]:
    """Yields the rows page by page: for a short page the database walks its index instead of sorting everything.

    `rest` is the filter that the last row's value gives for the rows after it; rows with the same value that were read
    already are skipped.
    """
    page, before, equal = rows, None, 0
    while found := [Candidate(*row) for row in page[equal : equal + BATCH]]:
        yield from found
        values = [getattr(each, rest.partition("__")[0]) for each in found]
        # A page may end among equal values: after 5, 4, 4 the next page asks for 4 and less, and skips the two that
        # were read.
        equal = values.count(values[-1]) + (equal if values[-1] == before else 0)
        before = values[-1]
        page = rows.filter(**{rest: before})
