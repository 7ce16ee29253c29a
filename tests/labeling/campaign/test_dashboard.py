"""/api/phases/{id}/dashboard/: a phase in numbers."""

import pytest

from labeling.models import Snapshot


@pytest.fixture
def body(phase, admin_client):
    return lambda: admin_client.get(f"/api/phases/{phase.pk}/dashboard/").json()


def test_it_works(make, phase, annotator, second_annotator, body, now):
    tasks = [make.task(phase, overlap=2) for _ in range(4)]
    options = {"finish_reason": "found_error", "submitted_at": now}
    first = make.labelling(tasks[0], 1, -1, annotator=annotator, **options)
    make.labelling(tasks[0], 1, 1, -1, annotator=second_annotator, **options)
    make.labelling(tasks[1], 1, None, annotator=annotator, submitted_at=now)
    first.completions.update(active_ms=4000)
    Snapshot.objects.create(labels_hash="x", counts={}).labellings.add(first)
    found = body()
    assert found["days"] == [{"day": now.date().isoformat(), "labellings": 3, "annotators": 2}]
    assert found["mix"] == [{"round": 0, "positive": 4, "neutral": 0, "negative": 2, "unrated": 1}]
    assert found["first_errors"] == [{"step": 1, "labellings": 1}, {"step": 2, "labellings": 1}]
    assert {time["below"]: time["steps"] for time in found["step_times"]}[5] == 2
    counts = {"tasks": 4, "begun": 2, "labelled": 2, "complete": 2, "agreed": 1, "trained_on": 1}
    assert found["funnel"] == [{"round": 0, **counts}]


def test_screening_gold_and_superseded_labellings_are_left_out(make, phase, annotator, body, now):
    make.labelling(make.task(phase, number=-1), 1, annotator=annotator)
    make.labelling(make.task(phase), 1, annotator=annotator, superseded_at=now)
    make.labelling(make.task(phase, is_gold=True), 1, annotator=annotator)
    found = body()
    assert (found["days"], found["mix"], found["first_errors"]) == ([], [], [])


def test_it_asks_the_same_few_queries_whatever_the_size(
    make, phase, annotator, admin_client, django_assert_num_queries
):
    for number in range(6):
        make.labelling(make.task(phase, number=number), 1, 0, -1, annotator=annotator, finish_reason="found_error")
    with django_assert_num_queries(9):
        admin_client.get(f"/api/phases/{phase.pk}/dashboard/")


def test_an_unknown_phase_is_not_found(admin_client, annotator, refused):
    refused(admin_client.get(f"/api/phases/{annotator.pk}/dashboard/"), 404, "not_found")
