"""Near-duplicates of problems. They are listed, never merged.

MinHash finds candidates: problems that have a part of their signatures in common, by an index. So the time depends on
how many statements are asked about, and hardly on the size of the pool. Candidates are then compared word by word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import BooleanField, Count, Min, QuerySet
from django.db.models.expressions import RawSQL
from rensa import RMinHash

from labeling.models import Problem, ProblemBand
from labeling.rules.texts import statements

LEAST = 0.6  # likeness of what is listed; 95 % of the pairs that are just as alike are found, 99 % from 0.7
BANDS, ROWS = 12, 3
GOLDEN = 0x9E3779B97F4A7C15  # 2 ** 64 over the golden ratio, which spreads numbers evenly (Knuth, TAOCP 6.4)
FIELDS = ("problem", "band")
CHUNK = 500
# A part that more problems share belongs to a template with other numbers in it: it is not looked up, or a pool of
# 100,000 problems of one template would be compared pair by pair.
CROWD = 200
MOST_SEEN = 50_000  # some 1 kB each


class Near(NamedTuple):
    """A problem that is much like another one. `likeness`: from LEAST to 1."""

    problem: UUID
    statement: str
    likeness: float
    overlap: str


def rows(problems: Mapping[UUID, str]) -> Iterator[tuple[UUID, int]]:
    """Yields the FIELDS of the rows by which these problems are found, given their statements."""
    for pk, own in zip(problems, bands(problems.values()), strict=True):
        yield from ((pk, band) for band in own)


def newest() -> int:
    """The number up to which the pool's problems can be found now; 0 for none."""
    return ProblemBand.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def of(asked: Sequence[str], *, until: int | None = None, **among: Any) -> list[list[Near]]:
    """Returns for each statement the problems near it, the most similar first; `among` filters their columns.

    A problem is not near itself. With `until`, an earlier value of `newest`, problems stored since are left out.
    """
    return _in_chunks(asked, _all_holders, _columns(until, among))


def some_of(asked: Sequence[str], *, until: int) -> list[list[Near]]:
    """Like `of`, but returns only some of many problems near a statement: a template may have thousands."""
    return _in_chunks(asked, _first_holders, _columns(until, {})) if until else [[] for _ in asked]


def _columns(until: int | None, among: Mapping[str, Any]) -> dict[str, Any]:
    columns = {f"problem__{name}": value for name, value in among.items()}
    return columns if until is None else columns | {"pk__lte": until}


Holders = Iterable[tuple[int, UUID]]  # bands, with problems that have them


def _in_chunks(
    asked: Sequence[str], holders: Callable[[QuerySet[ProblemBand]], Holders], columns: Mapping[str, Any]
) -> list[list[Near]]:
    found = list[list[Near]]()
    for start in range(0, len(asked), CHUNK):
        chunk = asked[start : start + CHUNK]
        signatures = bands(chunk)
        held = ProblemBand.objects.filter(_has_one_of({band for own in signatures for band in own}), **columns)
        having = defaultdict[int, set[UUID]](set)
        for band, problem in holders(held):
            having[band].add(problem)
        candidates = [set().union(*(having[band] for band in own if band in having)) for own in signatures]
        found += _compared(chunk, candidates)
    return found


def _compared(asked: Sequence[str], candidates: Sequence[set[UUID]]) -> Iterator[list[Near]]:
    wanted = set().union(*candidates)
    known = {row[0]: row[1:] for row in Problem.objects.filter(pk__in=wanted).values_list("pk", "statement", "overlap")}
    words = {pk: statements.shingles(statement) for pk, (statement, _) in known.items()}
    for statement, its in zip(asked, candidates, strict=True):
        own = statements.shingles(statement)
        found = (Near(pk, known[pk][0], statements.likeness(own, words[pk]), known[pk][1]) for pk in its & known.keys())
        near = [each for each in found if _is_near(each.likeness, each.statement, statement)]
        yield sorted(near, key=lambda each: (-each.likeness, each.problem))


def _is_near(likeness: float, one: str, other: str) -> bool:
    """Returns whether two statements are similar without being the same problem."""
    return LEAST <= likeness < 1 or (likeness == 1 and statements.identity(one) != statements.identity(other))


def _all_holders(held: QuerySet[ProblemBand]) -> Holders:
    sizes = held.order_by().values_list("band").annotate(Count("pk"))
    calm = [band for band, size in sizes if size <= CROWD]
    return held.filter(_has_one_of(calm)).values_list("band", "problem") if calm else ()


def _first_holders(held: QuerySet[ProblemBand]) -> Holders:
    firsts = held.order_by().values("band").annotate(first=Min("pk")).values("first")
    return ProblemBand.objects.filter(pk__in=firsts).values_list("band", "problem")


def _has_one_of(bands_: Collection[int]) -> RawSQL:
    """Selects rows with one of the bands, written into the statement: binding thousands takes far longer."""
    return RawSQL(f"band IN ({', '.join(map(str, bands_))})", [], BooleanField())


class Seen:
    """Finds near-duplicates within a file: those of the first MOST_SEEN problems in it."""

    def __init__(self) -> None:
        self._first_with = dict[int, int]()  # a band: the first statement that has it
        self._statements: list[str] = []

    def add(self, asked: Sequence[str]) -> list[tuple[str, float] | None]:
        """Returns for each statement the most similar earlier one, in the file or in `asked`, with its similarity; None
        if no earlier one shares a band of its signature.
        """
        return [self._add(*each) for each in zip(asked, bands(asked), strict=True)]

    def _add(self, statement: str, own: list[int]) -> tuple[str, float] | None:
        words = statements.shingles(statement)
        earlier = [
            self._statements[number] for number in {self._first_with[band] for band in own if band in self._first_with}
        ]
        alike = [(text, statements.likeness(words, statements.shingles(text))) for text in earlier]
        near = [(text, likeness) for text, likeness in alike if _is_near(likeness, text, statement)]
        if len(self._statements) < MOST_SEEN:
            for band in own:
                self._first_with.setdefault(band, len(self._statements))
            self._statements.append(statement)
        return max(near, key=itemgetter(1), default=None)


def bands(asked: Iterable[str]) -> list[list[int]]:
    """The BANDS parts of each statement's signature, each as a hash that a column holds."""
    return [_bands_of(statement) for statement in asked]


@lru_cache(maxsize=4096)  # a new problem's are compared with the pool's and with its file's, then stored
def _bands_of(statement: str) -> list[int]:
    (own,) = RMinHash.digests_from_token_sets([[*statements.shingles(statement)]], num_perm=BANDS * ROWS, seed=1)
    return [_mixed(number, *own[number * ROWS : (number + 1) * ROWS]) for number in range(BANDS)]


def _mixed(number: int, first: int, second: int, third: int) -> int:
    """Mixes ROWS numbers of 32 bits, and the band's own, into one that fits into a column."""
    mixed = (first << 32 | second) ^ ((third << 4 | number) * GOLDEN & (1 << 64) - 1)
    return mixed - (1 << 63)
