"""labeling.api.errors: every error leaves as problem+json, with one readable complaint."""

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions

from labeling.api.errors import handle
from labeling.errors import DomainError


class TooLate(DomainError):
    code = "too_late"
    status = 409


def test_a_broken_rule_brings_its_own_code_and_words():
    answer = handle(TooLate("The round is over."), {})
    assert answer.status_code == 409
    assert answer.data == {
        "type": "about:blank",
        "title": "Conflict",
        "status": 409,
        "code": "too_late",
        "detail": "The round is over.",
    }


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Http404("No Round matches the given query: secret"), 404, "not_found"),
        (PermissionDenied("secret"), 403, "permission_denied"),
        (exceptions.NotAuthenticated(), 401, "not_authenticated"),
        (exceptions.MethodNotAllowed("PUT"), 405, "method_not_allowed"),
        (exceptions.Throttled(wait=3), 429, "throttled"),
    ],
)
def test_djangos_own_errors(error, status, code):
    answer = handle(error, {})
    assert (answer.status_code, answer.data["status"], answer.data["code"]) == (status, status, code)
    assert answer.data["detail"]


def test_not_found_says_nothing_about_what_was_looked_for():
    assert "secret" not in str(handle(Http404("secret"), {}).data)


def test_a_crash_is_left_to_django():
    assert handle(ValueError("bug"), {}) is None


@pytest.mark.parametrize(
    ("detail", "complaint"),
    [
        ("No.", "No."),
        ({"name": ["Too long."]}, "name: Too long."),
        ({"non_field_errors": ["Nothing fits."]}, "Nothing fits."),
        ({"ratings": [{}, {"rating": ["Not a rating."]}]}, "ratings[1].rating: Not a rating."),
        ({"ratings": {"non_field_errors": ["Not a list."]}}, "ratings: Not a list."),
        ([{}, {"step": ["Too high."]}], "[1].step: Too high."),
    ],
)
def test_the_first_complaint_names_its_field(detail, complaint):
    answer = handle(exceptions.ValidationError(detail), {})
    assert (answer.status_code, answer.data["code"], answer.data["detail"]) == (400, "invalid", complaint)
    assert answer.data["errors"]


def test_when_to_come_back_is_in_the_header():
    assert handle(exceptions.Throttled(wait=3), {})["Retry-After"] == "3"


def test_an_unknown_address_is_a_problem_too(client, refused):
    body = refused(client.get("/api/nothing/here/"), 404, "not_found")
    assert "/api/nothing/here/" in body["detail"]
