"""`Assignment.kind`: from claim to submission, and as a migration finds it out."""

import pytest

from annotate import allocation, submission
from labeling.models import Assignment, Phase


@pytest.fixture
def phase(make, annotator):
    """Its next real task is gold's place."""
    phase = make.phase(annotator, gold_set="hidden", gold_rate=1)
    make.gold(1, 1, 1, gold_set="hidden")
    make.screening(phase)
    make.round(phase, 2)
    return phase


@pytest.fixture
def label(phase, annotator, all_great, now):
    """The kinds and seats of the next assignment: in hand, as it was submitted, and as it is stored."""

    def act():
        held = allocation.claim_next(phase=Phase.objects.get(pk=phase.pk), annotator=annotator, now=now)
        stored = submission.submit(assignment_id=held.pk, annotator=annotator, submission=all_great, now=now)
        return [(row.kind, row.seat) for row in (held, stored.assignment, Assignment.objects.get(pk=held.pk))]

    return act


def test_it_works(label):
    screening, work, gold = ("screening", None), ("work", 0), ("gold", None)
    assert label() == [screening] * 3
    assert label() == [work, gold, gold], "nothing tells them apart before"
    assert label() == [work] * 3
    assert label() == [work] * 3
