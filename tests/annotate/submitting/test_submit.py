"""/api/assignments/{id}/submit/: stores the labelling and returns the next task."""

from datetime import timedelta

import pytest
from django.utils import timezone

from labeling.campaign import rounds
from labeling.models import Assignment, Labelling

GREAT = [{"step": step, "rating": 1} for step in range(3)]
DONE = {"ratings": GREAT, "finish_reason": "solution"}
FOUND = {"ratings": [{"step": 0, "rating": 1}, {"step": 1, "rating": -1}], "finish_reason": "found_error"}


@pytest.fixture
def address(assignment):
    return f"/api/assignments/{assignment.pk}/submit/"


def test_it_works(address, assignment, annotator, annotator_client):
    history = [{"step": 0, "completion": 0, "rating": rating, "at_ms": 5 + rating} for rating in (0, 1)]
    answer = annotator_client.post(address, DONE | {"history": history, "finish_note": "Fine."})
    assert answer.status_code == 200
    labelling = Labelling.objects.get()
    assert (labelling.assignment, labelling.annotator, labelling.task) == (assignment, annotator, assignment.task)
    assert (labelling.finish_reason, labelling.finish_note, labelling.history) == ("solution", "Fine.", history)
    body = answer.json()
    assert body["labelling_id"] == str(labelling.pk)
    assert body["next"]["reason"] == ""
    assert body["next"]["assignment"]["id"] not in {None, str(assignment.pk)}


def test_a_chain_of_1500_steps(make, phase, annotator_client):
    make.round(phase, [make.solution(steps=[f"Wait, {number}." for number in range(1500)])])
    held = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]
    ratings = [{"step": step, "rating": 1} for step in range(1500)]
    history = [{"step": step, "completion": 0, "rating": 1, "at_ms": step} for step in range(1500)]
    body = {"ratings": ratings, "history": history, "finish_reason": "solution"}
    assert annotator_client.post(f"/api/assignments/{held['id']}/submit/", body).status_code == 200
    assert Labelling.objects.get().completions.count() == 1500


def without_lease(claim):
    """Returns the claim without its lease's end, which claiming again changes."""
    return claim | {"assignment": claim["assignment"] | {"lease_expires_at": None}}


def test_one_submission_returns_the_next_tasks_and_progress(make, phase, annotator_client):
    """The response has the next task, the two after it, and the annotator's progress: the page needs no other."""
    make.round(phase, 4)
    claim = f"/api/phases/{phase.pk}/claim/"
    held = annotator_client.post(claim).json()["assignment"]
    body = annotator_client.post(f"/api/assignments/{held['id']}/submit/", DONE | {"ahead": True}).json()
    sent = [body["next"], *({"assignment": each, "reason": ""} for each in body["ahead"])]
    assert len({each["assignment"]["id"] for each in sent}) == 3
    for ahead, each in enumerate(sent):
        assert without_lease(each) == without_lease(annotator_client.post(claim, {"ahead": ahead}).json())
    assert body["progress"] == annotator_client.get(f"/api/phases/{phase.pk}/progress/").json()
    assert (body["progress"]["this_round"], body["progress"]["round_done"]) == (1, 1)


def test_nothing_is_fetched_ahead_unless_it_is_asked_for(address, annotator_client):
    assert annotator_client.post(address, DONE).json()["ahead"] is None
    assert Assignment.objects.filter(annotator__isnull=False).count() == 2


def test_nothing_is_fetched_ahead_after_the_last_task(make, phase, annotator_client):
    make.round(phase, 2)
    held = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]
    body = annotator_client.post(f"/api/assignments/{held['id']}/submit/", DONE | {"ahead": True}).json()
    assert body["ahead"] == []
    last = body["next"]["assignment"]["id"]
    body = annotator_client.post(f"/api/assignments/{last}/submit/", DONE | {"ahead": True}).json()
    assert (body["next"]["reason"], body["ahead"]) == ("nothing_left", None)


def test_nothing_is_fetched_ahead_in_screening(make, phase, annotator_client):
    """The last task may end the screening, and the next would be of another round."""
    make.screening(phase, 3)
    held = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]
    body = annotator_client.post(f"/api/assignments/{held['id']}/submit/", DONE | {"ahead": True}).json()
    assert (body["next"]["assignment"]["is_screening"], body["ahead"]) == (True, None)


def test_the_last_one_says_that_nothing_is_left(make, phase, annotator_client):
    make.round(phase, 1)
    held = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]
    answer = annotator_client.post(f"/api/assignments/{held['id']}/submit/", FOUND)
    assert answer.json()["next"] == {"assignment": None, "reason": "nothing_left"}


def test_twice_is_stored_once(address, annotator_client):
    """The reply got lost; the browser sends it again."""
    first = annotator_client.post(address, DONE).json()
    again = annotator_client.post(address, DONE)
    assert again.status_code == 200
    assert again.json()["labelling_id"] == first["labelling_id"]
    assert again.json()["next"]["assignment"]["id"] == first["next"]["assignment"]["id"]
    assert Labelling.objects.count() == 1
    assert Assignment.objects.filter(annotator__isnull=False).count() == 2


def test_another_labelling_of_the_same_task_is_refused(address, annotator_client, refused):
    annotator_client.post(address, DONE)
    refused(annotator_client.post(address, FOUND), 409, "already_submitted")
    assert Labelling.objects.get().finish_reason == "solution"


def test_in_a_closed_round_it_is_refused(address, open_round, annotator_client, refused):
    rounds.close(round_id=open_round.pk, now=timezone.now())
    refused(annotator_client.post(address, DONE), 409, "round_closed")
    assert not Labelling.objects.exists()


def test_sent_again_after_the_round_closed_it_still_succeeds(address, open_round, annotator_client):
    first = annotator_client.post(address, DONE).json()
    rounds.close(round_id=open_round.pk, now=timezone.now())
    again = annotator_client.post(address, DONE).json()
    assert again["labelling_id"] == first["labelling_id"]
    assert again["next"] == {"assignment": None, "reason": "no_open_round"}


def test_after_losing_the_task_it_is_refused(address, assignment, second_annotator, annotator_client, refused):
    Assignment.objects.filter(pk=assignment.pk).update(annotator=second_annotator)
    refused(annotator_client.post(address, DONE), 404, "not_found")
    assert not Labelling.objects.exists()


def test_a_lease_that_ran_out_but_was_not_taken_over_still_counts(address, assignment, annotator_client):
    """The fixture's lease ended long ago by the server's clock; nobody has taken the task over."""
    assert assignment.lease_expires_at < timezone.now() - timedelta(hours=1)
    assert annotator_client.post(address, DONE).status_code == 200


@pytest.mark.parametrize("who", ["second_annotator", "outsider", "admin", "ml_staff", "superuser"])
def test_anybody_elses_is_not_found(address, who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).post(address, DONE), 404, "not_found")
    assert not Labelling.objects.exists()


def test_signed_out_is_refused(address, signed_out_client, refused):
    refused(signed_out_client.post(address, DONE), 401, "not_authenticated")


@pytest.mark.parametrize(
    "change",
    [
        {"finish_reason": "bored"},
        {"finish_reason": None},
        {"ratings": None},
        {"ratings": [{"step": 0}]},
        {"ratings": [{"step": 0, "rating": 5}]},
        {"ratings": [{"step": 0, "rating": True}]},
        {"finish_note": "x" * 5001},
        {"active_ms": "long"},
        {"history": [{}]},
    ],
)
def test_a_bad_body_is_refused(address, annotator_client, refused, change):
    refused(annotator_client.post(address, DONE | change), 400, "invalid")
    assert not Labelling.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {"ratings": [], "finish_reason": "solution"},
        {"ratings": GREAT[:2], "finish_reason": "solution"},
        {"ratings": GREAT, "finish_reason": "found_error"},
        {"ratings": GREAT, "finish_reason": "give_up"},
        {"ratings": FOUND["ratings"], "finish_reason": "solution"},
        {"ratings": [*FOUND["ratings"], {"step": 2, "rating": 1}], "finish_reason": "found_error"},
        {"ratings": [*GREAT, {"step": 3, "rating": 1}], "finish_reason": "solution"},
        {"ratings": [GREAT[1], GREAT[0], GREAT[2]], "finish_reason": "solution"},
        {"ratings": [GREAT[0], GREAT[0], GREAT[2]], "finish_reason": "solution"},
        {"ratings": [GREAT[0], {"step": 1, "rating": None}, GREAT[2]], "finish_reason": "solution"},
    ],
)
def test_a_submission_that_breaks_the_protocol_is_refused(address, annotator_client, refused, body):
    refused(annotator_client.post(address, body), 400, "invalid_labelling")
    assert not Labelling.objects.exists()


HOSTILE = {
    "a repetition loop": "The answer is " * 1200,
    "open boxes": "\\boxed{" * 100_000,
    "open environments": "\\begin{a}$$```" * 50_000,
    "half a million characters in one word": "x" * 500_000,
    "nothing but braces": "{" * 200_000,
    "digits of many alphabets": "१²½" * 10_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
@pytest.mark.parametrize("reason", ["solution", "found_error"])
def test_a_task_with_any_text_can_be_claimed_and_submitted(make, phase, annotator_client, text, reason):
    make.round(phase, [make.solution(steps=["First.", text], answer=text)])
    held = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]
    last = {"step": 1, "rating": 1 if reason == "solution" else -1}
    body = {"ratings": [{"step": 0, "rating": 1}, last]}
    assert annotator_client.put(f"/api/assignments/{held['id']}/draft/", body | {"version": 1}).status_code == 200
    submitted = annotator_client.post(f"/api/assignments/{held['id']}/submit/", body | {"finish_reason": reason})
    assert submitted.status_code == 200
    assert list(Labelling.objects.get().completions.values_list("text", flat=True).order_by("step")) == ["First.", text]


@pytest.mark.parametrize("text", ["The answer is " * 1200, "\\boxed{" * 2000])
def test_a_trajectory_may_go_through_any_text(make, annotator, annotator_client, text):
    phase = make.phase(annotator, kind="alternatives")
    make.round(phase, [make.solution(steps=[text, "A: 5"])])
    held = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]
    offered = annotator_client.post(f"/api/assignments/{held['id']}/completions/", {"path": []}).json()
    assert offered["completions"] == [{"text": text, "states_answer": False}]
    ratings = [{"step": step, "rating": 1, "text": given} for step, given in enumerate([text, "A: 5"])]
    body = {"ratings": ratings, "finish_reason": "solution"}
    assert annotator_client.post(f"/api/assignments/{held['id']}/submit/", body).status_code == 200
