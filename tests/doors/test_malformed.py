"""Malformed ids, parameters and bodies never crash any endpoint."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from rest_framework.test import APIClient

from tests.doors.listed import DOORS, EVERY_DOOR
from tests.doors.sending import BODIES, CONTENT_TYPES, TAKE_A_BODY, example, opens_for, operation, taken_back

pytestmark = pytest.mark.every_case  # each database has its own limits
NOBODY = "00000000-0000-4000-8000-000000000000"
LIMITS: list[Any] = ["a\0b", "\ud800", "é" * 10_000, 2**31, 2**63, 10**400]
VALUES: list[Any] = [
    None,
    "",
    NOBODY,
    "NaN",
    -1,
    1.5,
    True,
    [],
    {},
    [None],
    [[]],
    ["\0"],
    {"\0": "\0"},
    [NOBODY],
    {"epochs": 2**70},
    [{"step": 2**70, "rating": 7, "note": "\0"}],
]
IDS = ("0", "%00", "..", "%2e%2e%2f", NOBODY, NOBODY.upper(), "a" * 4000, "%ff")
FAR = ("-1", "%00", "1e9", "9" * 20)  # PostgreSQL accepts other values than SQLite
PARAMETERS = (*FAR, "", "0", "x", "%ff", NOBODY, "%5B%5D", "last")
SENDING = [door for door in EVERY_DOOR if door[1] in {"POST", "PUT", "PATCH"}]


@pytest.mark.any_database  # all of these bodies are refused before any row is read
@pytest.mark.parametrize(("path", "method"), SENDING)
def test_a_body(path: str, method: str, ids: dict[str, Any], clients: dict[str, APIClient]) -> None:
    client, address = clients[opens_for(path, method)], "/api/" + path.format(**ids)
    sent = [(body, "application/json") for body in BODIES] + [(b"a=1", kind) for kind in CONTENT_TYPES]
    for body, content_type in sent:
        with taken_back():
            answer = client.generic(method, address, body, content_type=content_type)
        assert answer.status_code < 500, (body[:50], content_type)


@pytest.mark.parametrize(("path", "method"), TAKE_A_BODY)
def test_a_value_in_a_good_body(path: str, method: str, ids: dict[str, Any], clients: dict[str, APIClient]) -> None:
    client, address = clients[opens_for(path, method)], "/api/" + path.format(**ids)
    for body in changed(example(path, method)):
        with taken_back():
            answer = client.generic(method, address, json.dumps(body), content_type="application/json")
        assert answer.status_code < 500, body


def changed(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the body without each field, and with each field, nested ones too, set to each hostile value (on
    PostgreSQL, LIMITS only).
    """
    values = LIMITS if connection.vendor == "postgresql" else LIMITS + VALUES
    for name, was in body.items():
        yield {key: value for key, value in body.items() if key != name}
        yield from (body | {name: value} for value in values)
        if isinstance(was, dict):
            yield from (body | {name: inner} for inner in changed(was))
        if isinstance(was, list) and was and isinstance(was[0], dict):
            yield from (body | {name: [inner]} for inner in changed(was[0]))


@pytest.mark.parametrize(("path", "method"), [door for door in EVERY_DOOR if "{" in door[0]])
def test_an_id(path: str, method: str, superuser_client: APIClient) -> None:
    for identity in IDS:
        with taken_back():
            answer = superuser_client.generic(method, "/api/" + path.format_map(Everywhere(identity)))
        assert answer.status_code < 500, identity


class Everywhere(dict[str, str]):
    """A mapping that has the same id for every name."""

    def __init__(self, identity: str) -> None:
        self.identity = identity

    def __missing__(self, name: str) -> str:
        return self.identity


@pytest.mark.parametrize(("path", "method"), [door for door in EVERY_DOOR if door[1] == "GET"])
def test_a_query_parameter(path: str, method: str, ids: dict[str, Any], superuser_client: APIClient) -> None:
    known = operation(path, method).get("parameters", [])
    for name in [each["name"] for each in known if each["in"] == "query"]:
        for value in FAR if connection.vendor == "postgresql" else PARAMETERS:
            with taken_back():
                answer = superuser_client.get(f"/api/{path.format(**ids)}?{name}={value}")
            assert answer.status_code < 500, (name, value)


@pytest.mark.any_database
@pytest.mark.parametrize("path", DOORS)
def test_another_method(path: str, ids: dict[str, Any], superuser_client: APIClient) -> None:
    """Tries unusual and invalid methods; `test_another_method_is_refused` tries the usual ones."""
    for method in ("OPTIONS", "HEAD", "TRACE", "PROPFIND"):
        with taken_back():
            answer = superuser_client.generic(method, "/api/" + path.format(**ids))
        assert answer.status_code < 500, method
