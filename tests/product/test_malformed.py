"""Whatever is sent, the answer is never a crash."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from tests.product.world import Row, World

pytestmark = pytest.mark.product

SCHEMA = json.loads(settings.OPENAPI.read_text())
NOBODY = "00000000-0000-4000-8000-000000000000"
# A server that leaves a body unread closes the connection: each request has its own.
JSON = {"Content-Type": "application/json", "Connection": "close"}
BODIES: list[bytes] = [
    b"",
    b"{",
    b"null",
    b"[]",
    b"[[]]",
    b"0",
    b'"text"',
    b"true",
    b"NaN",
    b"{}",
    b"\xff\xfe",
    b"\x00",
    b'{"a": 1e999}',
    b'{"a": Infinity}',
    b'{"": null}',
    b'{"\\u0000": "\\ud800"}',
    b"[" * 100_000,
    b'{"a":' * 100_000,
]
VALUES: list[Any] = [
    None,
    "",
    "a\0b",
    "\ud800",
    "é" * 10_000,
    NOBODY,
    "NaN",
    -1,
    1.5,
    2**31,
    2**63,
    10**400,
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


def paths() -> Iterator[tuple[str, str]]:
    for path, methods in SCHEMA["paths"].items():
        for method in methods:
            if (method, path) != ("delete", "/api/session/"):  # it would sign the test out
                yield method.upper(), path.removeprefix("/api/")


class Caller:
    """Sends anything, and fails at the first answer of 500 or above."""

    def __init__(self, world: World) -> None:
        self.client = world.people["root"]
        self.calls = 0

    def send(self, method: str, path: str, content: bytes | None = None, **headers: str) -> int:
        own = {"X-CSRFToken": self.client.cookies.get("csrftoken") or "", "Referer": str(self.client.base_url)}
        response = self.client.request(method, path, content=content, headers=own | JSON | headers)
        self.calls += 1
        assert response.status_code < 500, (method, path, (content or b"")[:200], response.text[:300])
        return response.status_code

    def send_json(self, method: str, path: str, body: Any) -> int:
        return self.send(method, path, json.dumps(body).encode())


@pytest.fixture
def caller(world: World) -> Caller:
    return Caller(world)


def filled(path: str, identity: str) -> str:
    return re.sub(r"{\w+}", identity, path)


@pytest.mark.any_database
def test_bodies_that_are_no_json_object(caller: Caller) -> None:
    for method, path in paths():
        if method in {"POST", "PUT"}:
            for body in BODIES:
                caller.send(method, filled(path, NOBODY), body)


@pytest.mark.any_database
def test_a_body_beyond_the_limit(caller: Caller) -> None:
    assert caller.send("POST", "phases/", b'{"name": "' + b"a" * 3_000_000 + b'"}') == 413


@pytest.mark.any_database
def test_other_content_types_and_methods(caller: Caller) -> None:
    for method, path in paths():
        address = filled(path, NOBODY)
        for kind in ("text/plain", "multipart/form-data", "multipart/form-data; boundary=x", "nonsense", ""):
            caller.send(method, address, b"a=1", **{"Content-Type": kind})
        for other in ("PATCH", "OPTIONS", "HEAD", "TRACE", "PROPFIND"):
            caller.send(other, address)


def test_addresses(caller: Caller) -> None:
    for method, path in paths():
        for identity in ("0", "%00", "..", "%2e%2e%2f", NOBODY.upper(), "a" * 4000, "%ff"):
            caller.send(method, filled(path, identity), b"{}")


def test_query_parameters(caller: Caller) -> None:
    hostile = ["", "0", "-1", "x", "%00", "%ff", "1e9", "99999999999999999999", NOBODY, "%5B%5D", "last"]
    for method, path in paths():
        if method == "GET":
            known = SCHEMA["paths"][f"/api/{path}"]["get"].get("parameters", [])
            for name in [each["name"] for each in known if each["in"] == "query"]:
                for value in hostile:
                    caller.send("GET", f"{filled(path, NOBODY)}?{name}={value}")


def test_each_field_of_a_good_request(caller: Caller, world: World, labels: Row) -> None:
    world.publish(fields := world.new_phase("Fields"), policy="uniform", size=2)
    client = world.people["root"]
    client.call("POST", f"phases/{fields['id']}/members/", {"usernames": ["root"]})
    claimed = client.call("POST", f"phases/{fields['id']}/claim/")["assignment"]["id"]
    rating = {"step": 0, "rating": 1, "is_flagged": False, "note": "", "active_ms": 5}
    work = {"ratings": [rating], "finish_note": "", "active_ms": 5, "history": [{"step": 0, "rating": 1, "at_ms": 3}]}
    selection = {"phase": NOBODY, "policy": "uniform", "size": 1, "per_problem": 1, "wrong_share": 0.5, "seed": 1}
    training = {"name": "x", "base": "/nowhere", "phase": NOBODY, "phases": [], "settings": {"epochs": 1, "seed": 1}}
    good: list[tuple[str, str, Row]] = [
        ("PUT", f"assignments/{claimed}/draft/", {**work, "version": 1}),
        ("POST", f"assignments/{claimed}/submit/", {**work, "finish_reason": "give_up"}),
        ("POST", "selections/", {**selection, "source": "arithmetic", "reward_model": None}),
        ("POST", "training-runs/", training),
        ("POST", "scoring-runs/", {"reward_model": NOBODY}),
        ("POST", "publications/", {"selection": NOBODY, "overlap": 1}),
        ("POST", "people/", {"username": "new", "password": "x", "role": "annotator"}),
        (
            "POST",
            "phases/",
            {"name": "", "kind": "solutions", "instructions": "", "lease_minutes": 1, "status": "paused"},
        ),
        ("POST", f"phases/{labels['id']}/members/", {"usernames": []}),
        ("POST", "session/", {"username": "x", "password": "y"}),
    ]
    try:
        for method, path, body in good:
            for changed in changes(body):
                caller.send_json(method, path, changed)
    finally:
        world.cancel_everything()  # some of it was good enough to start long trainings


def changes(body: Row) -> Iterator[Row]:
    """The body with each field, and each field of its nested objects, set to each hostile value in turn."""
    for name, was in body.items():
        yield {key: value for key, value in body.items() if key != name}
        for value in VALUES:
            yield body | {name: value}
        if isinstance(was, dict):
            yield from (body | {name: inner} for inner in changes(was))
        if isinstance(was, list) and was and isinstance(was[0], dict):
            yield from (body | {name: [inner]} for inner in changes(was[0]))


@pytest.mark.any_database
def test_without_a_session(world: World) -> None:
    from tests.running.product import Client

    with Client(world.product.address) as nobody:
        for method, path in paths():
            if path not in {"session/", "invite/{secret}/", "crashes/"}:  # where people come in, or can't
                status = nobody.request(method, filled(path, NOBODY), content=b"{", headers=JSON).status_code
                assert status in {401, 403}, (method, path, status)
