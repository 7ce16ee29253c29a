"""annotate.progress and /api/phases/{id}/progress/: an annotator's own progress, which reveals no gold."""

from datetime import timedelta

import pytest

from annotate import progress
from annotate.progress import FEWEST_GOLD
from labeling.models import Gold, Labelling

DAY = timedelta(days=1)
GREAT = [1, 1, 1]


@pytest.fixture
def figures(phase, annotator, now):
    def act(after=timedelta(0), who=annotator):
        return progress.own_progress(phase=phase, annotator=who, now=now + after)

    return act


@pytest.fixture
def label(make, phase, annotator, now):
    """Makes labellings of the annotator in a closed round, on solutions with or without gold."""

    def act(*ratings, times=1, gold=None, ago=DAY, number=3, **columns):
        for _ in range(times):
            task = make.task(phase, number=number)
            if gold:
                make.gold(*gold, solution=task.solution)
            make.labelling(task, *ratings, **{"annotator": annotator, "submitted_at": now - ago} | columns)

    return act


def test_it_works(figures, make, phase, label, open_round):
    label(*GREAT, active_ms=40_000)
    label(*GREAT, ago=timedelta(hours=1), active_ms=20_000)
    make.labelling(open_round.tasks.first(), 1, annotator=phase.memberships.first().user)
    found = figures()
    assert (found.today, found.this_round, found.total) == (2, 1, 3)
    assert (found.round_number, found.round_done, found.round_wanted) == (0, 1, 3)
    assert (found.median_ms, found.quality) == (30_000, None)


def test_nothing_yet(figures):
    found = figures()
    assert (found.today, found.this_round, found.total, found.median_ms, found.quality) == (0, 0, 0, None, None)
    assert (found.round_number, found.round_done, found.round_wanted) == (None, 0, 0)


def test_others_and_superseded_labellings_do_not_count(figures, label, second_annotator, now):
    label(*GREAT, annotator=second_annotator)
    label(*GREAT, superseded_at=now)
    assert figures().total == 0


@pytest.mark.any_database
def test_quality_needs_ten_gold_tasks(figures, label):
    label(*GREAT, gold=GREAT, times=FEWEST_GOLD - 1)
    label(*GREAT, times=5)
    assert figures().quality is None
    label(*GREAT, gold=GREAT)
    assert figures(after=DAY).quality == 1


def test_quality_is_computed_once_a_day(figures, label, django_assert_max_num_queries):
    label(*GREAT, gold=GREAT, times=FEWEST_GOLD)
    assert figures().quality == 1
    with django_assert_max_num_queries(3):
        assert figures().quality == 1


@pytest.mark.any_database
def test_quality_is_yesterdays(figures, label):
    """A submission must not change the quality at once: that would reveal gold."""
    label(*GREAT, gold=GREAT, times=FEWEST_GOLD)
    label(0, 0, 0, gold=GREAT, times=FEWEST_GOLD, ago=timedelta(minutes=1))
    assert figures().quality == 1
    assert figures(after=DAY).quality == 0.5


@pytest.mark.any_database
def test_quality_is_rounded_to_five_percent(figures, label):
    label(*GREAT, gold=GREAT, times=6)
    label(1, 1, 0, gold=GREAT, times=4)
    assert figures().quality == 0.85  # 26/30


def test_quality_moves_once_in_ten_gold_tasks(figures, label):
    """One task a day, labelled badly on purpose, must not show the next day whether it was gold."""
    label(*GREAT, gold=GREAT, times=10, ago=3 * DAY)
    for number in range(9):
        label(-1, gold=GREAT)
        assert figures(after=number * DAY).quality == 1
    label(-1, gold=GREAT)
    assert figures(after=9 * DAY).quality == 0.5


def test_a_revision_moves_nothing(figures, label, now):
    """The quality stays the same on that day and on the next."""
    label(*GREAT, gold=GREAT, times=FEWEST_GOLD, ago=2 * DAY)
    before = figures().quality
    for row in list(Labelling.objects.all()):
        Labelling.objects.filter(pk=row.pk).update(superseded_at=now)
        seat = row.task.assignments.create(
            round=row.task.round, position=0, seat=0, annotator=row.annotator, submitted_at=now
        )
        Labelling.objects.filter(pk=row.pk).update(assignment=seat, guidelines_version=1)
        again = Labelling.objects.create(
            task=row.task,
            assignment=seat,
            annotator=row.annotator,
            finish_reason="found_error",
            submitted_at=now,
            guidelines_version=1,
        )
        again.completions.create(step=0, completion=0, text="step 0", rating=-1)
        assert figures().quality == figures(after=DAY).quality == before == 1


def test_the_newest_gold_counts(figures, label, make):
    label(*GREAT, gold=[-1], times=FEWEST_GOLD)
    assert figures().quality == 0
    for gold in list(Gold.objects.all()):
        make.gold(*GREAT, solution=gold.solution, version=2)
    assert figures(after=DAY).quality == 1


@pytest.mark.any_database
def test_screening_does_not_count_as_quality(figures, label):
    label(*GREAT, gold=GREAT, times=FEWEST_GOLD, number=-1)
    assert figures().quality is None


def test_trajectories_have_no_quality(figures, label, phase):
    label(*GREAT, gold=GREAT, times=FEWEST_GOLD)
    phase.kind = "alternatives"
    assert figures().quality is None


def test_over_the_api(phase, open_round, annotator_client, outsider_client, signed_out_client, refused):
    address = f"/api/phases/{phase.pk}/progress/"
    assert annotator_client.get(address).json() == {
        "today": 0,
        "this_round": 0,
        "total": 0,
        "round_number": 0,
        "round_done": 0,
        "round_wanted": 3,
        "median_ms": None,
        "quality": None,
        "answers": 0,
    }
    refused(outsider_client.get(address), 404, "not_found")
    refused(signed_out_client.get(address), 401, "not_authenticated")
