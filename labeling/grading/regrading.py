"""Grades again the answers that an older mathematics grader graded; no other grader has changed. Verdicts that came
with a record, or from an expert, stay.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from uuid import UUID

from labeling.grading import grader
from labeling.models import Solution
from labeling.rules.words import Grader

AT_ONCE = 500
OWN = "stepmark-"
VerdictChange = tuple[str, str]


def regrade(*, on_batch: Callable[[int], None] | None = None) -> Counter[VerdictChange]:
    """Grades stored answers again. Returns how many verdicts changed, by (before, after).

    If stopped, the next call continues from there. `on_batch` is called with the number of solutions graded.
    """
    changes = Counter[VerdictChange]()
    old = Solution.objects.filter(grader_version__startswith=OWN).exclude(grader_version=Grader.MATHEMATICS.version)
    columns = ("pk", "verdict", "answer", "problem__reference_answer")
    last = UUID(int=0)
    # By id, not by page: rows that are graded leave the filter, and pages would skip others.
    while rows := list(old.filter(pk__gt=last).order_by("pk").values_list(*columns)[:AT_ONCE]):
        graded = defaultdict[str, list[UUID]](list)
        for last, before, answer, reference in rows:
            after: str = grader.grade(answer, reference)
            graded[after].append(last)
            changes[before, after] += 1
        for verdict, pks in graded.items():  # unless an expert has given a verdict meanwhile
            old.filter(pk__in=pks).update(verdict=verdict, grader_version=Grader.MATHEMATICS.version)
        if on_batch is not None:
            on_batch(len(rows))
    return changes
