"""/api/phases/: everyone lists those they may see, admins make them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate import allocation
from labeling.campaign import rounds
from labeling.models import Guidelines, Phase

ADDRESS = "/api/phases/"


def names(client):
    return [row["name"] for row in client.get(ADDRESS).json()["results"]]


def only(client):
    (row,) = client.get(ADDRESS).json()["results"]
    return row


def test_it_works(annotator_client, phase, open_round):
    row = only(annotator_client)
    assert row == {
        "id": str(phase.pk),
        "name": "Arithmetic",
        "kind": "solutions",
        "status": "running",
        "instructions": "Rate each step.",
        "guidelines_version": 1,
        "lease_minutes": 30,
        "later_steps": "dimmed",
        "rates_all_steps": False,
        "asks_alternatives": False,
        "asks_critiques": False,
        "asks_progress": False,
        "asks_why_unsure": False,
        "shows_reference_answer": True,
        "alternatives_per_step": 4,
        "pass_mark": 0.75,
        "gives_feedback": True,
        "created_at": row["created_at"],
        "open_round": {"id": str(open_round.pk), "number": 0},
        "tasks_available": True,
        "is_member": True,
        "is_paused": False,
        "screening": "",
        "compares": False,
    }


def test_somebody_paused_is_told_so(annotator, annotator_client, phase, open_round, now):
    annotator.memberships.update(paused_at=now)
    row = only(annotator_client)
    assert (row["is_paused"], row["tasks_available"]) == (True, False)


def test_an_admin_makes_one(admin_client):
    answer = admin_client.post(ADDRESS, {"name": "Geometry", "lease_minutes": 5})
    assert answer.status_code == 201
    made = Phase.objects.get(name="Geometry")
    assert (made.kind, made.status, made.lease_minutes) == ("solutions", "running", 5)
    assert (answer.json()["id"], answer.json()["overlap"]) == (str(made.pk), 1)


def test_its_guidelines_are_kept_from_the_first_version(admin_client):
    admin_client.post(ADDRESS, {"name": "Geometry", "instructions": "Look."})
    assert list(Guidelines.objects.values_list("version", "text")) == [(1, "Look.")]


def test_an_endpoint_needs_the_name_of_its_model(admin_client, refused):
    body = refused(admin_client.post(ADDRESS, {"name": "x", "generator_url": "http://gpu:8000/v1"}), 400, "invalid")
    assert list(body["errors"]) == ["generator_model"]


@pytest.mark.parametrize("who", ["annotator", "outsider", "ml_staff"])
def test_others_make_none(who, request, signed_in, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.post(ADDRESS, {"name": "Geometry"}), 403, "permission_denied")
    assert not Phase.objects.exists()


def test_signed_out_is_refused(signed_out_client, refused):
    refused(signed_out_client.get(ADDRESS), 401, "not_authenticated")


def test_twice_is_refused(admin_client, phase, refused):
    body = refused(admin_client.post(ADDRESS, {"name": phase.name}), 400, "invalid")
    assert body["errors"]["name"] == ["A phase with this name already exists."]


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "x" * 101},
        {"kind": "songs"},
        {"status": "lost"},
        {"lease_minutes": 0},
        {"lease_minutes": -5},
        {"lease_minutes": 10**30},
        {"lease_minutes": "soon"},
        {"later_steps": "blurred"},
        {"alternatives_per_step": 0},
        {"alternatives_per_step": 21},
        {"pass_mark": 1.5},
        {"generator_url": "gpu"},
    ],
)
def test_a_bad_body_is_refused(admin_client, refused, change):
    body = refused(admin_client.post(ADDRESS, {"name": "Geometry"} | change), 400, "invalid")
    assert list(body["errors"]) == list(change)


def test_an_annotator_sees_own_phases_only(make, annotator, annotator_client, phase, outsider_client):
    make.phase(name="Another's")
    assert names(annotator_client) == ["Arithmetic"]
    assert names(outsider_client) == []


def test_staff_see_all(make, phase, admin_client, ml_staff_client):
    make.phase(name="Another's")
    assert names(admin_client) == names(ml_staff_client) == ["Another's", "Arithmetic"]
    assert {row["is_member"] for row in admin_client.get(ADDRESS).json()["results"]} == {False}


def test_the_phase_last_labelled_in_comes_first(
    make, phase, annotator, second_annotator, annotator_client, admin_client
):
    algebra, geometry = (make.phase(annotator, name=name) for name in ("Algebra", "Geometry"))
    make.labelling(make.task(algebra), 1, annotator=annotator)
    make.labelling(make.task(phase, 0), 1, annotator=annotator, submitted_at=timezone.now())
    make.labelling(make.task(phase, 1), 1, annotator=annotator)
    make.labelling(make.task(geometry), 1, annotator=second_annotator, submitted_at=timezone.now())
    assert names(annotator_client) == ["Arithmetic", "Algebra", "Geometry"]
    assert names(admin_client) == ["Geometry", "Algebra", "Arithmetic"]


def test_tasks_are_available_while_a_seat_is_free(
    make, phase, annotator, second_annotator, annotator_client, second_annotator_client
):
    make.round(phase, 1)
    assert only(annotator_client)["tasks_available"]
    allocation.claim_next(phase=phase, annotator=annotator, now=timezone.now())
    assert only(annotator_client)["tasks_available"], "the task in hand"
    assert not only(second_annotator_client)["tasks_available"]


def test_tasks_are_available_once_a_lease_ran_out(make, phase, annotator, second_annotator_client):
    make.round(phase, 1)
    allocation.claim_next(phase=phase, annotator=annotator, now=timezone.now() - timedelta(hours=2))
    assert only(second_annotator_client)["tasks_available"]


def test_a_second_seat_of_own_task_is_not_available(make, phase, annotator, annotator_client):
    """A task that a claim would refuse is not announced."""
    round_ = make.round(phase, 1, overlap=2)
    taken = allocation.claim_next(phase=phase, annotator=annotator, now=timezone.now())
    make.labelling(taken.task, 1, annotator=annotator, assignment=taken)
    round_.assignments.filter(pk=taken.pk).update(submitted_at=timezone.now(), lease_expires_at=None)
    assert not only(annotator_client)["tasks_available"]


@pytest.mark.parametrize("status", ["paused", "closed"])
def test_no_task_is_available_in_a_phase_that_is_not_running(phase, open_round, annotator_client, status):
    Phase.objects.filter(pk=phase.pk).update(status=status)
    assert not only(annotator_client)["tasks_available"]


def test_no_task_is_available_in_a_closed_round(phase, open_round, annotator_client):
    rounds.close(round_id=open_round.pk, now=timezone.now())
    row = only(annotator_client)
    assert (row["open_round"], row["tasks_available"]) == (None, False)


def test_screening_is_no_open_round_but_has_tasks(make, phase, annotator_client):
    make.screening(phase)
    row = only(annotator_client)
    assert (row["screening"], row["open_round"], row["tasks_available"]) == ("pending", None, True)
    Phase.objects.update(status="paused")
    assert not only(annotator_client)["tasks_available"]


@pytest.mark.parametrize(("agreement", "state"), [(0.75, "passed"), (0.74, "failed")])
def test_tasks_are_for_those_who_passed(phase, open_round, annotator, annotator_client, agreement, state):
    phase.memberships.filter(user=annotator).update(screened_at=timezone.now(), screening_agreement=agreement)
    row = only(annotator_client)
    assert (row["screening"], row["tasks_available"]) == (state, state == "passed")


def test_annotators_do_not_see_the_generators_address(make, annotator, annotator_client, ml_staff_client):
    phase = make.phase(annotator, generator_url="http://gpu:8000/v1", generator_model="prover")
    assert not any(name.startswith("generator") for name in only(annotator_client))
    assert ml_staff_client.get(f"{ADDRESS}{phase.pk}/settings/").json()["generator_url"] == "http://gpu:8000/v1"


def test_queries_do_not_grow(make, annotator, annotator_client, django_assert_num_queries):
    for _ in range(4):
        make.round(make.phase(annotator))
    with django_assert_num_queries(6):  # session, user, count, page, rounds, memberships
        assert len(annotator_client.get(ADDRESS).json()["results"]) == 4
