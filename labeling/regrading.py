"""The act of grading again what an older grader graded. Verdicts that came with a record, or from an expert, stay."""

from collections import Counter, defaultdict
from collections.abc import Callable
from uuid import UUID

from labeling import grading
from labeling.models import Solution

AT_ONCE = 500
OWN = "stepmark-"
Change = tuple[str, str]


def regrade(*, on_batch: Callable[[int], None] | None = None) -> Counter[Change]:
    """How many verdicts became what, as (before, after). Stopped at any time, it goes on from there when called again.

    `on_batch` is told how many more were graded.
    """
    changes = Counter[Change]()
    old = Solution.objects.filter(grader_version__startswith=OWN).exclude(grader_version=grading.GRADER_VERSION)
    columns = ("pk", "verdict", "answer", "problem__reference_answer")
    last = UUID(int=0)
    while rows := list(old.filter(pk__gt=last).order_by("pk").values_list(*columns)[:AT_ONCE]):
        graded = defaultdict[str, list[UUID]](list)
        for last, before, answer, reference in rows:
            after: str = grading.grade(answer, reference)
            graded[after].append(last)
            changes[before, after] += 1
        for verdict, pks in graded.items():  # not what an expert has judged meanwhile
            old.filter(pk__in=pks).update(verdict=verdict, grader_version=grading.GRADER_VERSION)
        if on_batch is not None:
            on_batch(len(rows))
    return changes
