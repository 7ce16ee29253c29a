"""Near-duplicates of problems. They are listed, never merged.

MinHash finds candidates: problems that have a part of their signatures in common, by an index. So the time depends on
how many statements are asked about, and hardly on the size of the pool. Candidates are then compared word by word.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import BooleanField, Count, QuerySet
from django.db.models.expressions import RawSQL
from rensa import RMinHash

from labeling.models import Problem, ProblemBand
from labeling.rules import statements

LEAST = 0.6  # likeness of what is listed; 95 % of the pairs that are just as alike are found, 99 % from 0.7
BANDS, ROWS = 12, 3
GOLDEN = 0x9E3779B97F4A7C15  # 2 ** 64 over the golden ratio, which spreads numbers evenly (Knuth, TAOCP 6.4)
FIELDS = ("problem", "band")
CHUNK = 500
# A part that more problems share belongs to a template with other numbers in it: it is not looked up, or a pool of
# 100,000 problems of one template would be compared pair by pair.
CROWD = 200
MOST_SEEN = 50_000  # some 2 kB each
MOST_HELD = 5


class Near(NamedTuple):
    """A problem that is much like another one. `likeness`: from LEAST to 1."""

    problem: UUID
    statement: str
    likeness: float
    overlap: str


def rows(problems: Mapping[UUID, str]) -> Iterator[tuple[UUID, int]]:
    """The FIELDS of the rows by which problems are found, given their statements."""
    for pk, own in zip(problems, bands(problems.values()), strict=True):
        yield from ((pk, band) for band in own)


def newest() -> int:
    """Up to where the pool's problems can be found now; 0 for none."""
    return ProblemBand.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def of(asked: Sequence[str], *, until: int | None = None, **among: Any) -> list[list[Near]]:
    """For each statement, the problems (those with these columns) that are near it, the likest first. The same problem
    is not near itself. With `until`, a `newest` of earlier, what has been stored since is not looked at.
    """
    if until == 0:
        return [[] for _ in asked]
    columns = {f"problem__{name}": value for name, value in among.items()}
    if until is not None:
        columns["pk__lte"] = until
    chunks = (asked[start : start + CHUNK] for start in range(0, len(asked), CHUNK))
    return [found for chunk in chunks for found in _of_chunk(chunk, columns)]


def _of_chunk(asked: Sequence[str], columns: Mapping[str, Any]) -> Iterator[list[Near]]:
    candidates = _candidates(bands(asked), columns)
    wanted = set().union(*candidates)
    known = {row[0]: row[1:] for row in Problem.objects.filter(pk__in=wanted).values_list("pk", "statement", "overlap")}
    words = {pk: statements.shingles(statement) for pk, (statement, _) in known.items()}
    for statement, its in zip(asked, candidates, strict=True):
        own, same = statements.shingles(statement), statements.identity(statement)
        found = (Near(pk, known[pk][0], statements.likeness(own, words[pk]), known[pk][1]) for pk in its & known.keys())
        near = [each for each in found if each.likeness >= LEAST and statements.identity(each.statement) != same]
        yield sorted(near, key=lambda each: (-each.likeness, each.problem))


def _candidates(signatures: Sequence[list[int]], columns: Mapping[str, Any]) -> list[set[UUID]]:
    """For each signature, the problems that have a band of it."""
    held = _with({band for own in signatures for band in own}, columns)
    sizes = dict(held.order_by().values_list("band").annotate(Count("pk")))
    holders = defaultdict[int, set[UUID]](set)
    if calm := [band for band, size in sizes.items() if size <= CROWD]:
        for band, problem in _with(calm, columns).values_list("band", "problem"):
            holders[band].add(problem)
    return [set().union(*(holders[band] for band in own if band in holders)) for own in signatures]


def _with(bands_: Collection[int], columns: Mapping[str, Any]) -> QuerySet[ProblemBand]:
    """The rows with one of these bands. They are written into the statement: binding thousands takes far longer."""
    held = RawSQL(f"band IN ({', '.join(map(str, bands_))})", [], BooleanField())
    return ProblemBand.objects.filter(held, **columns)


class Seen:
    """Finds near-duplicates within a file: those of the first MOST_SEEN problems in it."""

    def __init__(self) -> None:
        self._holders: dict[int, list[int]] = defaultdict(list)
        self._statements: list[str] = []

    def add(self, asked: Sequence[str]) -> list[tuple[str, float] | None]:
        """For each statement, the likest one before it, in the file and in `asked`, with its likeness."""
        return [self._add(*each) for each in zip(asked, bands(asked), strict=True)]

    def _add(self, statement: str, own: list[int]) -> tuple[str, float] | None:
        numbers = {number for band in own for number in self._holders.get(band, ())}
        words, same = statements.shingles(statement), statements.identity(statement)
        earlier = (self._statements[number] for number in numbers)
        others = [text for text in earlier if statements.identity(text) != same]
        alike = [(text, statements.likeness(words, statements.shingles(text))) for text in others]
        likest = max(alike, key=itemgetter(1), default=None)
        if len(self._statements) < MOST_SEEN:
            for band in own:
                if len(self._holders[band]) < MOST_HELD:
                    self._holders[band].append(len(self._statements))
            self._statements.append(statement)
        return likest if likest and likest[1] >= LEAST else None


def bands(asked: Iterable[str]) -> list[list[int]]:
    """The BANDS parts of each statement's signature, each as a hash that a column holds."""
    return [_bands_of(statement) for statement in asked]


@lru_cache(maxsize=4096)  # a new problem's are compared with the pool's and with its file's, then stored
def _bands_of(statement: str) -> list[int]:
    (own,) = RMinHash.digests_from_token_sets([[*statements.shingles(statement)]], num_perm=BANDS * ROWS, seed=1)
    return [_mixed(number, *own[number * ROWS : (number + 1) * ROWS]) for number in range(BANDS)]


def _mixed(number: int, first: int, second: int, third: int) -> int:
    """ROWS numbers of 32 bits as one that a column holds."""
    mixed = (first << 32 | second) ^ ((third << 4 | number) * GOLDEN & (1 << 64) - 1)
    return mixed - (1 << 63)
