"""/api/phases/{id}/claim/: the task in hand, or the next one."""

import pytest

from labeling.campaign import rounds
from labeling.models import Assignment, Phase
from labeling.rules.profiles import Profile


@pytest.fixture
def address(phase):
    return f"/api/phases/{phase.pk}/claim/"


def test_it_works(address, phase, open_round, annotator, annotator_client):
    answer = annotator_client.post(address)
    assert answer.status_code == 200
    held = Assignment.objects.get(annotator=annotator)
    body = answer.json()
    assert body["reason"] == ""
    assert body["assignment"] == {
        "id": str(held.pk),
        "lease_expires_at": held.lease_expires_at.isoformat().replace("+00:00", "Z"),
        "submitted_at": None,
        "phase": {
            "id": str(phase.pk),
            "name": "Arithmetic",
            "kind": "solutions",
            "profile": "mathematics",
            "instruction": "Judge the steps by the mathematics.",
            "meanings": Profile.MATHEMATICS.traits.meanings._asdict(),
            "guidelines_version": 1,
            "rates_all_steps": False,
            "carries_errors": False,
            "finishes_by_hand": False,
            "later_steps": "dimmed",
            "asks_alternatives": False,
            "asks_critiques": False,
            "asks_progress": False,
            "asks_why_unsure": False,
            "error_kinds": [],
            "asks_error_words": False,
            "asks_root_cause": False,
            "asks_result": False,
        },
        "round_number": 0,
        "is_screening": False,
        "problem": {
            "statement": held.task.solution.problem.statement,
            "markup": "mathematics",
            "reference_answer": "5",
            "subject": "",
        },
        "solution": {"steps": held.task.solution.steps, "markup": "mathematics"},
        "draft": None,
        "labelling": None,
        "report": None,
        "has_answer": False,
    }


def test_twice_is_the_same_task(address, open_round, annotator_client):
    first = annotator_client.post(address).json()["assignment"]
    again = annotator_client.post(address).json()["assignment"]
    assert again["id"] == first["id"]
    assert Assignment.objects.filter(annotator__isnull=False).count() == 1


def test_the_draft_comes_along(address, open_round, annotator_client):
    held = annotator_client.post(address).json()["assignment"]
    draft = {"version": 4, "ratings": [{"step": 0, "rating": 1}], "finish_note": "so far"}
    annotator_client.put(f"/api/assignments/{held['id']}/draft/", draft)
    again = annotator_client.post(address).json()["assignment"]["draft"]
    assert (again["version"], again["finish_note"]) == (4, "so far")
    assert [item["rating"] for item in again["ratings"]] == [1]


def none(client, address):
    answer = client.post(address)
    assert answer.status_code == 200
    assert answer.json()["assignment"] is None
    return answer.json()["reason"]


def test_nothing_is_left(address, make, phase, annotator_client, second_annotator_client):
    make.round(phase, 1)
    annotator_client.post(address)
    assert none(second_annotator_client, address) == "nothing_left"


def test_no_round_is_open(address, phase, annotator_client):
    assert none(annotator_client, address) == "no_open_round"


def test_the_round_is_closed(address, open_round, annotator_client, now):
    rounds.close(round_id=open_round.pk, now=now)
    assert none(annotator_client, address) == "no_open_round"


@pytest.mark.parametrize("status", ["paused", "closed"])
def test_the_phase_is_not_running(address, phase, open_round, annotator_client, status):
    Phase.objects.filter(pk=phase.pk).update(status=status)
    assert none(annotator_client, address) == "phase_not_running"


@pytest.mark.parametrize("who", ["admin", "ml_staff", "superuser"])
def test_staff_who_are_no_members_get_none(address, open_round, who, request, signed_in):
    assert none(signed_in(request.getfixturevalue(who)), address) == "not_a_member"


def test_an_outsider_does_not_learn_that_the_phase_exists(address, open_round, outsider_client, refused):
    refused(outsider_client.post(address), 404, "not_found")


def test_signed_out_is_refused(address, open_round, signed_out_client, refused):
    refused(signed_out_client.post(address), 401, "not_authenticated")


def test_a_malformed_id_is_not_found(annotator_client, refused):
    refused(annotator_client.post("/api/phases/1/claim/"), 404, "not_found")


def test_the_number_of_queries_does_not_grow_with_the_queue(
    address, make, phase, annotator_client, django_assert_max_num_queries
):
    make.round(phase, 40, overlap=2)
    with django_assert_max_num_queries(18):
        annotator_client.post(address)
