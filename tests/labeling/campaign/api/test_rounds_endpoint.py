"""/api/rounds/: rounds with their progress, for staff."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from annotate import allocation
from labeling.campaign import rounds

ADDRESS = "/api/rounds/"


def test_it_works(make, phase, labelling, open_round, ml_staff_client):
    (row,) = ml_staff_client.get(ADDRESS).json()["results"]
    assert row == {
        "id": str(open_round.pk),
        "phase": str(phase.pk),
        "phase_name": "Arithmetic",
        "number": 0,
        "status": "open",
        "opened_at": "2026-03-02T12:00:00Z",
        "closed_at": None,
        "task_count": 3,
        "labellings_wanted": 3,
        "labellings_done": 1,
        "in_hand": 0,
        "left": 2,
        "last_day": 0,
        "ends_at": None,
        "requested": None,
        "gold_set": "",
        "gold_in_set": 0,
        "gold_hidden": 0,
    }


def test_one_round(open_round, admin_client):
    (listed,) = admin_client.get(ADDRESS).json()["results"]
    assert admin_client.get(f"{ADDRESS}{open_round.pk}/").json() == listed


def test_the_funnel(make, phase, open_round, annotator, second_annotator, admin_client):
    """Three labellings: one done today, one in hand, one free. At that pace, two days are left."""
    seats = [
        allocation.claim_next(phase=phase, annotator=who, now=timezone.now()) for who in (annotator, second_annotator)
    ]
    make.labelling(seats[0].task, 1, assignment=seats[0], submitted_at=timezone.now())
    open_round.assignments.filter(pk=seats[0].pk).update(submitted_at=timezone.now(), lease_expires_at=None)
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert (row["labellings_done"], row["in_hand"], row["left"], row["last_day"]) == (1, 1, 1, 1)
    ends_in = parse_datetime(row["ends_at"]) - timezone.now()
    assert timedelta(days=1, hours=23) < ends_in <= timedelta(days=2)


def test_an_expired_lease_counts_as_left(phase, open_round, annotator, admin_client):
    allocation.claim_next(phase=phase, annotator=annotator, now=timezone.now() - timedelta(hours=1))
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert (row["in_hand"], row["left"]) == (0, 3)


def test_by_status(make, phase, admin_client, now):
    rounds.close(round_id=make.round(phase).pk, now=now)
    make.round(phase)
    (row,) = admin_client.get(ADDRESS, {"status": "open"}).json()["results"]
    assert row["number"] == 1


def test_overlap_multiplies_the_labellings_wanted(make, phase, admin_client):
    make.round(phase, 2, overlap=3)
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert (row["task_count"], row["labellings_wanted"], row["labellings_done"]) == (2, 6, 0)


def test_a_superseded_labelling_is_not_counted_twice(make, phase, admin_client, now):
    task = make.task(phase)
    make.labelling(task, 1, superseded_at=now)
    make.labelling(task, 0)
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert row["labellings_done"] == 1


def test_the_latest_comes_first(make, phase, admin_client, now):
    for day in range(3):
        opened = make.round(phase, 1)
        opened.opened_at = now + timedelta(days=day)
        opened.save()
        rounds.close(round_id=opened.pk, now=now)
    assert [row["number"] for row in admin_client.get(ADDRESS).json()["results"]] == [2, 1, 0]


def test_one_phase(make, phase, open_round, admin_client):
    make.round(make.phase())
    (row,) = admin_client.get(ADDRESS, {"phase": str(phase.pk)}).json()["results"]
    assert row["id"] == str(open_round.pk)


@pytest.mark.parametrize("value", ["x", "1", "\0", "'"])
def test_a_bad_filter_is_refused(admin_client, refused, value):
    refused(admin_client.get(ADDRESS, {"phase": value}), 400, "invalid")


@pytest.mark.parametrize("page", ["0", "99", "x"])
def test_a_page_that_is_not_there_is_not_found(admin_client, refused, page):
    refused(admin_client.get(ADDRESS, {"page": page}), 404, "not_found")


@pytest.mark.parametrize("who", ["annotator", "outsider"])
def test_annotators_are_refused(who, request, open_round, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).get(ADDRESS), 403, "permission_denied")


def test_signed_out_is_refused(signed_out_client, refused):
    refused(signed_out_client.get(ADDRESS), 401, "not_authenticated")


def test_queries_do_not_grow(make, admin_client, django_assert_num_queries):
    for _ in range(4):
        make.round(make.phase())
    with django_assert_num_queries(4):  # session, user, count, page
        assert len(admin_client.get(ADDRESS).json()["results"]) == 4
