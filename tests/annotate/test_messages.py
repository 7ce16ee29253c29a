"""annotate.api.messages: what msgspec checks, and what the schema, made of serializers, says of it."""

import json
from typing import Any

import msgspec
import pytest
from rest_framework.test import APIClient

from annotate.api import messages, serializers

PAIRS = [
    (messages.RatingMessage, serializers.StepRatingSerializer),
    (messages.CritiqueMessage, serializers.CritiqueSerializer),
    (messages.EventMessage, serializers.RatingEventSerializer),
    (messages.DraftMessage, serializers.DraftSerializer),
    (messages.SubmissionMessage, serializers.SubmissionSerializer),
    (messages.ClaimRequest, serializers.ClaimRequestSerializer),
    (messages.ClaimMessage, serializers.ClaimSerializer),
    (messages.AssignmentMessage, serializers.AssignmentSerializer),
    (messages.PhaseMessage, serializers.AssignedPhaseSerializer),
    (messages.ProblemMessage, serializers.AssignedProblemSerializer),
    (messages.SolutionMessage, serializers.AssignedSolutionSerializer),
    (messages.SubmittedMessage, serializers.SubmittedSerializer),
    (messages.FeedbackMessage, serializers.FeedbackSerializer),
    (messages.ScreeningMessage, serializers.ScreeningSerializer),
    (messages.LeaseMessage, serializers.LeaseSerializer),
]
RATING = {"step": 0, "rating": 1}
GOOD: dict[str, Any] = {
    "ratings": [RATING | {"note": "n", "text": "t", "active_ms": 3, "completion": 1, "is_human": True}],
    "critiques": [{"text": "c", "rating": None}],
    "history": [{"step": 0, "rating": None, "at_ms": 2**53}],
    "finish_reason": "give_up",
    "finish_note": "x" * 5000,
    "solution_progress": "some",
    "guidelines_version": 3,
    "revises": "0b6e9d5e-6f0a-4c0e-8f57-1f7a5c1f3a11",
    "active_ms": 86_400_000,
}
BAD = [
    {"ratings": [RATING | change]}
    for change in (
        {"step": -1},
        {"step": 10_001},
        {"step": None},
        {"completion": 101},
        {"text": "x" * 20_001},
        {"rating": 2},
        {"note": "x" * 5001},
        {"active_ms": -1},
        {"active_ms": 86_400_001},
        {"is_flagged": None},
        {"text": "\0"},
    )
] + [
    {"ratings": RATING},
    {"critiques": [{"text": ""}]},
    {"critiques": [{}]},
    {"history": [{"step": 0, "rating": 1, "at_ms": 2**53 + 1}]},
    {"history": [{"step": 0, "rating": 1}]},
    {"finish_note": "x" * 5001},
    {"finish_note": None},
    {"solution_progress": "all"},
    {"guidelines_version": 0},
    {"guidelines_version": 2**31},
    {"revises": "me"},
    {"finish_reason": ""},
    {"ahead": "far"},
]


@pytest.mark.parametrize(("message", "serializer"), PAIRS)
def test_the_schema_tells_what_is_read_and_written(message, serializer):
    assert {field.encode_name for field in msgspec.structs.fields(message)} == set(serializer().fields)


def test_both_take_what_is_good():
    serializer = serializers.SubmissionSerializer(data=GOOD)
    assert serializer.is_valid(), serializer.errors
    read = msgspec.json.decode(json.dumps(GOOD), type=messages.SubmissionMessage)
    told = json.loads(json.dumps(serializer.validated_data, default=str))
    assert msgspec.to_builtins(read) == told | {"ahead": False}


@pytest.mark.parametrize("change", BAD, ids=lambda change: str(change)[:60])
def test_both_refuse_what_is_bad(change, assignment, annotator_client, refused):
    assert not serializers.SubmissionSerializer(data=GOOD | change).is_valid()
    answer = annotator_client.post(f"/api/assignments/{assignment.pk}/submit/", GOOD | change)
    refused(answer, 400, "invalid")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"ratings": [RATING, {"step": 1}]}, "ratings[1].rating: This field is required."),
        ({"ratings": [{"step": "1", "rating": 1}]}, "ratings[0].step: Expected `int`, got `str`"),
        ({"finish_reason": "bored"}, "finish_reason: Invalid enum value 'bored'"),
    ],
)
def test_a_refusal_names_the_field(change, named, assignment, annotator_client, refused):
    answer = annotator_client.post(f"/api/assignments/{assignment.pk}/submit/", GOOD | change)
    body = refused(answer, 400, "invalid")
    assert body["detail"] == named
    assert list(body["errors"]) == [named.partition(":")[0]]


@pytest.mark.parametrize("body", ["", "{", "[" * 100_000, '{"a":' * 100_000, '{"finish_note": "\\ud800"}', "\xff"])
def test_what_is_no_json_is_refused(body, assignment, annotator_client):
    address = f"/api/assignments/{assignment.pk}/submit/"
    answer = annotator_client.generic("POST", address, body, content_type="application/json")
    assert answer.status_code == 400


def test_a_backslash_before_it_makes_no_null_character(assignment, annotator_client):
    rated = [{"step": step, "rating": 1, "note": "\\u0000"} for step in range(3)]
    body = {"ratings": rated, "finish_reason": "solution"}
    assert annotator_client.post(f"/api/assignments/{assignment.pk}/submit/", body).status_code == 200


def test_without_a_csrf_token_nothing_is_done(assignment, annotator, refused):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(annotator)
    refused(client.post(f"/api/assignments/{assignment.pk}/submit/", GOOD), 403, "permission_denied")
