"""annotate.api.messages: msgspec's checks agree with the API's schema."""

import json
from typing import Any

import jsonschema
import msgspec
import pytest
from django.conf import settings
from rest_framework.test import APIClient

from annotate.api import messages

SCHEMA = json.loads(settings.OPENAPI.read_text())
SUBMISSION = SCHEMA["components"]["schemas"]["SubmissionRequest"] | {"components": SCHEMA["components"]}
VALID = jsonschema.Draft202012Validator(SUBMISSION, format_checker=jsonschema.FormatChecker()).is_valid
NESTED = {"ratings", "critiques", "history"}
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
        {"error_kind": "ab"},
        {"error_start": -1},
        {"error_end": 2**31},
        {"root_cause": 10_001},
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


def test_message_and_schema_accept_good_bodies():
    jsonschema.validate(GOOD, SUBMISSION)
    read = msgspec.to_builtins(msgspec.json.decode(json.dumps(GOOD), type=messages.SubmissionMessage))
    unsaid = {"error_kind": "", "error_start": None, "error_end": None, "root_cause": None}
    assert read["ratings"] == [{"is_flagged": False, "is_chosen": True} | unsaid | GOOD["ratings"][0]]
    assert read["critiques"] == [{"is_human": False} | GOOD["critiques"][0]]
    assert {name: read[name] for name in GOOD.keys() - NESTED} == {name: GOOD[name] for name in GOOD.keys() - NESTED}


def test_a_response_has_all_its_fields_and_a_request_those_without_a_default():
    schemas = SCHEMA["components"]["schemas"]
    assert schemas["Draft"]["required"] == sorted(schemas["Draft"]["properties"])
    assert schemas["DraftRequest"]["required"] == ["ratings", "version"]


@pytest.mark.parametrize("change", BAD, ids=lambda change: str(change)[:60])
def test_message_and_schema_refuse_bad_bodies(change, assignment, annotator_client, refused):
    assert "\\u0000" in json.dumps(change) or not VALID(GOOD | change)
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
def test_a_body_that_is_not_json_is_refused(body, assignment, annotator_client):
    address = f"/api/assignments/{assignment.pk}/submit/"
    answer = annotator_client.generic("POST", address, body, content_type="application/json")
    assert answer.status_code == 400


def test_an_escaped_backslash_before_u0000_is_no_null_character(assignment, annotator_client):
    rated = [{"step": step, "rating": 1, "note": "\\u0000"} for step in range(3)]
    body = {"ratings": rated, "finish_reason": "solution"}
    assert annotator_client.post(f"/api/assignments/{assignment.pk}/submit/", body).status_code == 200


def test_without_a_csrf_token_nothing_is_done(assignment, annotator, refused):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(annotator)
    refused(client.post(f"/api/assignments/{assignment.pk}/submit/", GOOD), 403, "permission_denied")
