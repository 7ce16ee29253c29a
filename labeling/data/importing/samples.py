"""The draws that an import finds: numbered in the file's order, stored unless the source has them already."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from labeling.data.formats.solutions import ParsedSolution
from labeling.data.importing import bulk
from labeling.models import Sample, Solution

FIELDS = ("solution_id", "generator", "draw", "external_id", "source", "repeat", "origin")
Held = dict[tuple[UUID, str, int], dict[UUID | None, int]]  # by draw: the repeat of each origin


Key = tuple[str, str]  # hashes of a problem and of a solution's steps


class Keyed(Struct, gc=False):
    """A solution with its unique key; and the number of its draw, given when it is first to be stored."""

    key: Key
    item: ParsedSolution
    draw: int | None = None


class Draw(NamedTuple):
    """A sample on its way in."""

    solution: UUID
    generator: str
    number: int
    external_id: str


class DrawCounts(NamedTuple):
    """Number of draws that this import added, of those that another had put into the source, and of known texts that
    are new to the source.
    """

    draws: int
    duplicates: int
    shared: int


class Numbers:
    """Numbers the draws of a file: the same each time it is read, whatever was stored of it."""

    def __init__(self) -> None:
        self._seen = Counter[int]()

    def next(self, external_id: str, *key: str) -> int:
        if external_id:
            return of_id(external_id)
        # A hash in place of the key: a file may have millions.
        number = self._seen[hash(key)]
        self._seen[hash(key)] += 1
        return number


def of_id(external_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(external_id.encode(), digest_size=8).digest(), signed=True)


def store_draws(draws: Sequence[Draw], *, known: Collection[UUID], source: str, origin: UUID | None) -> DrawCounts:
    """Stores the draws, in the caller's transaction; `known` are the solutions that were there before.

    A draw that another import put into the source is a duplicate, stored again to outlast that import's undoing.
    """
    held = _held(known, source) if known else {}
    texts = {solution for solution, _, _ in held}
    # A text known from its labels alone joins the pool, unless its problem has a newer version.
    if known:
        Solution.objects.filter(pk__in=known, in_pool=False, problem__replaced_by=None).update(in_pool=True)
    own, rows, duplicates = 0, [], 0
    for each in draws:
        by = held.get(each[:3], {})
        later = max(by.values(), default=-1) + 1
        repeat = by.get(origin, later) if origin else later
        own, duplicates = own + (not repeat), duplicates + bool(repeat)
        # A draw that another import has brought is stored again, to stay when that one is undone.
        if origin not in by and (origin or not repeat):
            rows.append((*each, source, repeat, origin))
    stored = bulk.insert(Sample, FIELDS, rows, skip_known=bool(known))
    lost = len(rows) - stored  # another import has stored them meanwhile
    shared = len({each.solution for each in draws} & set(known) - texts)
    return DrawCounts(own - lost, duplicates + lost, shared)


def _held(solutions: Iterable[UUID], source: str) -> Held:
    held: Held = defaultdict(dict)
    rows = Sample.objects.filter(solution__in=solutions, source=source)
    for solution, generator, draw, repeat, origin in rows.values_list(
        "solution", "generator", "draw", "repeat", "origin"
    ):
        held[solution, generator, draw][origin] = repeat
    return dict(held)
