"""/api/assignments/{id}/draft/: saves an annotator's unfinished work."""

from datetime import timedelta

import pytest

from annotate import allocation
from annotate.models import Draft

RATING = {
    "step": 0,
    "completion": 0,
    "text": "",
    "rating": -1,
    "is_flagged": False,
    "is_chosen": True,
    "is_human": False,
    "note": "2 + 3 is 5",
    "active_ms": 900,
    "error_kind": "",
    "error_start": None,
    "error_end": None,
    "root_cause": None,
}
CRITIQUE = {"text": "It is 5.", "rating": None, "is_human": True}
EVENTS = [{"step": 0, "rating": 1, "at_ms": 300}, {"step": 0, "rating": -1, "at_ms": 800}]
CONTENT = {
    "ratings": [RATING],
    "critiques": [CRITIQUE],
    "solution_progress": "some",
    "result": "",
    "finish_note": "not done",
    "history": [event | {"completion": 0} for event in EVENTS],
    "active_ms": 900,
}


@pytest.fixture
def address(assignment):
    return f"/api/assignments/{assignment.pk}/draft/"


def test_it_works(address, annotator_client, assignment):
    answer = annotator_client.put(address, CONTENT | {"version": 1})
    assert answer.status_code == 200
    assert answer.json() == CONTENT | {"version": 1}
    assert Draft.objects.get().content == CONTENT


def test_missing_fields_are_stored_empty(address, annotator_client):
    answer = annotator_client.put(address, {"version": 1, "ratings": []})
    nothing = {"ratings": [], "critiques": [], "solution_progress": "", "result": "", "finish_note": "", "history": []}
    assert answer.json() == nothing | {"version": 1, "active_ms": 0}


def test_a_newer_one_replaces_it(address, annotator_client):
    for version in (1, 2, 7):
        assert annotator_client.put(address, CONTENT | {"version": version}).status_code == 200
    assert Draft.objects.get().version == 7


def test_an_older_one_is_refused(address, annotator_client, refused):
    annotator_client.put(address, CONTENT | {"version": 3})
    for version in (3, 2):
        refused(annotator_client.put(address, CONTENT | {"version": version, "ratings": []}), 409, "stale_draft")
    assert Draft.objects.get().content == CONTENT


def test_after_submitting_it_is_refused(address, labelling, annotator_client, refused):
    refused(annotator_client.put(address, CONTENT | {"version": 9}), 409, "already_submitted")
    assert not Draft.objects.exists()


def test_after_losing_the_task_it_is_refused(
    address, assignment, phase, annotator_client, second_annotator, refused, make, now
):
    annotator_client.put(address, CONTENT | {"version": 1})
    later = assignment.lease_expires_at + timedelta(days=3650)
    allocation.claim_next(phase=phase, annotator=second_annotator, now=later)
    refused(annotator_client.put(address, CONTENT | {"version": 2}), 409, "lease_lost")
    assert Draft.objects.get().version == 1, "kept, for when the task comes round again"


@pytest.mark.parametrize("who", ["second_annotator", "outsider", "admin", "ml_staff", "superuser"])
def test_anybody_elses_is_not_found(address, who, request, signed_in, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.put(address, CONTENT | {"version": 1}), 404, "not_found")
    assert not Draft.objects.exists()


def test_signed_out_is_refused(address, signed_out_client, refused):
    refused(signed_out_client.put(address, CONTENT | {"version": 1}), 401, "not_authenticated")


@pytest.mark.parametrize(
    "change",
    [
        {"version": 0},
        {"version": None},
        {"version": "new"},
        {"version": 2**63},
        {"version": 10**30},
        {"ratings": None},
        {"ratings": {}},
        {"ratings": ["Great"]},
        {"ratings": [RATING | {"rating": 2}]},
        {"ratings": [RATING | {"rating": "good"}]},
        {"ratings": [RATING | {"step": -1}]},
        {"ratings": [RATING | {"step": 10**9}]},
        {"ratings": [RATING | {"note": "x" * 5001}]},
        {"ratings": [RATING | {"note": "a\0b"}]},
        {"ratings": [RATING | {"active_ms": -1}]},
        {"finish_note": "a\0b"},
        {"finish_note": "x" * 5001},
        {"history": [{"step": 0, "rating": 1}]},
        {"history": [{"step": 0, "rating": 1, "at_ms": -1}]},
        {"active_ms": -1},
        {"active_ms": 10**10},
    ],
)
def test_a_bad_body_is_refused(address, annotator_client, refused, change):
    refused(annotator_client.put(address, CONTENT | {"version": 1} | change), 400, "invalid")
    assert not Draft.objects.exists()
