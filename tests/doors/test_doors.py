"""Calls every address and method of the API as everyone who must be refused.

A new endpoint fails `test_every_door_is_listed` until it has its line here.
"""

import json
import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import ANY

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.test import APIClient

from labeling.models import Phase, User
from tests.doors.listed import (
    BODIES,
    DOORS,
    EVERY_DOOR,
    EVERYONE,
    HIDDEN,
    HOLDER,
    OF_A_PHASE,
    OF_NO_PHASE,
    SIGNED_IN,
    is_ml_staffs,
)
from tests.doors.sending import TAKE_A_BODY, opens_for, taken_back
from tests.making import Make


def doors(patterns: Any = None, before: str = "") -> Iterator[tuple[str, str]]:
    """Yields every address of the API with every method that it answers, without ids."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        address = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from doors(pattern.url_patterns, address)
        elif isinstance(pattern, URLPattern) and address.startswith("api/") and "schema" not in address:
            view = getattr(pattern.callback, "cls", None)
            methods = [method for method in getattr(view, "http_method_names", []) if hasattr(view, method)]
            for method in getattr(pattern.callback, "actions", methods):  # a view set has actions
                if method not in ("options", "head"):
                    yield re.sub(r"<[^>]*>", "{}", address.removeprefix("api/")), method.upper()


def test_every_door_is_listed() -> None:
    listed = {(re.sub(r"{[^}]*}", "{}", path), method) for path, methods in DOORS.items() for method in methods}
    assert listed == set(doors())


@pytest.mark.parametrize(("path", "method"), EVERY_DOOR)
def test_a_door_opens_for_those_listed_only(
    path: str, method: str, ids: dict[str, Any], clients: dict[str, APIClient], refused: Any
) -> None:
    address = "/api/" + path.format(**ids)
    for who in EVERYONE - DOORS[path][method]:
        response = clients[who].generic(method, address, "{}", content_type="application/json")
        refused(response, *_refusal(path, method, who))
    for who in DOORS[path][method]:
        with taken_back():
            response = clients[who].generic(method, address, "{}", content_type="application/json")
        assert response.status_code not in {401, 403, 404, 405, 500}, f"{who}: {response.getvalue()!r}"
        assert method != "GET" or response.status_code == 200


def _refusal(path: str, method: str, who: str) -> tuple[int, str]:
    if who == "nobody":
        return 401, "not_authenticated"
    if path.startswith(HIDDEN) or (path, method) == ("phases/{phase}/", "GET"):
        # Drafts, submissions and paths are validated before any row is looked up.
        return (400, "invalid") if path in BODIES else (404, "not_found")
    if who == "expert" and path.startswith(("adjudication/", "questions/")):  # of another phase
        return 404, "not_found"
    return 403, "permission_denied"


FOR_ANY_PHASE = [(path, method) for path, method in EVERY_DOOR if method != "GET" and is_ml_staffs(path, method)]


@pytest.mark.parametrize(("path", "method"), FOR_ANY_PHASE)
def test_ml_staff_act_in_their_own_phases(
    path: str, method: str, ids: dict[str, Any], make: Make, signed_in: Any, clients: dict[str, APIClient], refused: Any
) -> None:
    """An address open to ML staff refuses those of other phases, unless it is listed as belonging to no phase."""
    stranger = User.objects.create(username="stella", role="ml_staff")
    make.phase(name="Hers").memberships.update_or_create(user=stranger, defaults={"role": "ml_staff"})
    Phase.objects.get(name="Arithmetic").memberships.create(user=stranger, role="expert")  # another role is not enough
    given = OF_A_PHASE.get(path, {})
    body = {name: value.format(**ids) if isinstance(value, str) else value for name, value in given.items()}
    address = "/api/" + path.format(**ids)
    with taken_back():
        answer = signed_in(stranger).generic(method, address, json.dumps(body), content_type="application/json")
    if path in OF_NO_PHASE:
        assert answer.status_code != 403
        return
    assert "not among the ML staff of “Arithmetic”" in refused(answer, 403, "permission_denied")["detail"]
    for who in ("ml_staff", "superuser"):
        with taken_back():
            answer = clients[who].generic(method, address, json.dumps(body), content_type="application/json")
        assert answer.json().get("code") not in {"invalid", "permission_denied", "not_found"}, answer.content


@pytest.mark.parametrize("path", BODIES)
def test_a_well_formed_body_opens_nobody_elses_task(
    path: str, ids: dict[str, Any], clients: dict[str, APIClient], refused: Any
) -> None:
    send = "put" if "PUT" in DOORS[path] else "post"
    for who in SIGNED_IN - HOLDER:
        refused(getattr(clients[who], send)("/api/" + path.format(**ids), BODIES[path]), 404, "not_found")


@pytest.mark.parametrize("path", [path for path in DOORS if "{" in path])
def test_an_unknown_id_is_not_found(path: str, ids: dict[str, Any], superuser_client: APIClient, refused: Any) -> None:
    unknown = re.sub(r"{[^}]*}", "00000000-0000-4000-8000-000000000000", path)
    for method in DOORS[path]:
        body = BODIES.get(path, {})
        refused(getattr(superuser_client, method.lower())(f"/api/{unknown}", body), 404, "not_found")


@pytest.mark.parametrize("path", DOORS)
def test_another_method_is_refused(path: str, ids: dict[str, Any], superuser_client: APIClient, refused: Any) -> None:
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - set(DOORS[path]):
        response = superuser_client.generic(method, "/api/" + path.format(**ids))
        refused(response, 405, "method_not_allowed")


@pytest.mark.parametrize(("path", "method"), TAKE_A_BODY)
def test_a_body_that_is_not_a_json_object_is_refused(
    path: str, method: str, ids: dict[str, Any], superuser_client: APIClient, refused: Any
) -> None:
    address = "/api/" + path.format(**ids)
    response = superuser_client.generic(method, address, "{", content_type="application/json")
    refused(response, 400, "parse_error")
    response = superuser_client.generic(method, address, "a=1", content_type="text/plain")
    refused(response, 415, "unsupported_media_type")
    response = superuser_client.generic(method, address, "[1]", content_type="application/json")
    refused(response, 400, "invalid")


NESTED: dict[str, tuple[Any, Any]] = {  # a body with a misspelt nested field, and the errors
    "training-runs/": ({"settings": {"epoch": 2}}, {"settings": {"epoch": ANY}}),
    "verifier/": ({"solutions": [{"text": "x", "step": []}]}, {"solutions": [{"step": ANY}]}),
    "gold/import/": ({"golds": [{}, {"rating": [1]}]}, {"golds": [{}, {"rating": ANY}]}),
    "assignments/{assignment}/draft/": ({"ratings": [{"flagged": True}]}, {"ratings[0].flagged": ANY}),
    "assignments/{assignment}/submit/": ({"history": [{"at": 5}]}, {"history[0].at": ANY}),
}


@pytest.mark.parametrize(("path", "method"), TAKE_A_BODY)
def test_an_unknown_field_is_refused_by_name(
    path: str, method: str, ids: dict[str, Any], clients: dict[str, APIClient]
) -> None:
    client, address = clients[opens_for(path, method)], "/api/" + path.format(**ids)
    is_form = path in {"imports/", "exports/beside/"}
    answer = send_form(client, address) if is_form else getattr(client, method.lower())(address, {"nonsense": 1})
    assert (answer.status_code, answer.json()["errors"].keys()) == (400, {"nonsense"})


@pytest.mark.parametrize("path", NESTED)
def test_an_unknown_nested_field_is_refused_by_its_path(
    path: str, ids: dict[str, Any], clients: dict[str, APIClient]
) -> None:
    (method,), (said, expected) = {*DOORS[path]} - {"GET"}, NESTED[path]
    answer = getattr(clients[opens_for(path, method)], method.lower())("/api/" + path.format(**ids), said)
    assert (answer.status_code, answer.json()["errors"]) == (400, expected)


def send_form(client: APIClient, address: str) -> Any:
    file = SimpleUploadedFile("x.jsonl", b"{}")
    return client.post(address, {"file": file, "nonsense": 1}, format="multipart")


@pytest.mark.parametrize(("path", "method"), sorted({*EVERY_DOOR} - {*TAKE_A_BODY}))
def test_a_body_for_an_endpoint_without_one_is_refused(
    path: str, method: str, ids: dict[str, Any], clients: dict[str, APIClient]
) -> None:
    address = "/api/" + path.format(**ids)
    answer = clients[opens_for(path, method)].generic(
        method, address, '{"nonsense": 1}', content_type="application/json"
    )
    assert (answer.status_code, answer.json()["errors"]) == (400, {"body": ["There is no body here."]})


@pytest.mark.parametrize(("path", "method"), EVERY_DOOR)
def test_an_unknown_parameter_is_refused_by_name(
    path: str, method: str, ids: dict[str, Any], clients: dict[str, APIClient]
) -> None:
    address = "/api/" + path.format(**ids)
    answer = clients[opens_for(path, method)].generic(method, address, QUERY_STRING="nonsense=1&page_sizes=2")
    assert (answer.status_code, answer.json()["errors"].keys()) == (400, {"nonsense"})


def test_a_body_that_is_too_large_is_refused(signed_out_client, refused, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    refused(signed_out_client.post("/api/session/", {"username": "x" * 2000}, format="json"), 413, "too_large")


def test_no_endpoint_answers_options(people, superuser_client):
    addresses = {path: re.sub(r"{[\w-]+}", str(people["superuser"].pk), path) for path in DOORS}
    answers = {path: superuser_client.options(f"/api/{address}").status_code for path, address in addresses.items()}
    assert {path: status for path, status in answers.items() if status not in {404, 405}} == {}
