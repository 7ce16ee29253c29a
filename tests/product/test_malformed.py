"""Malformed addresses, headers and bodies, sent over the wire, never crash the server.

Values are tried endpoint by endpoint in tests/doors.
"""

from collections.abc import Callable

import pytest

from tests.doors.sending import BODIES, CONTENT_TYPES
from tests.product.world import World

pytestmark = [pytest.mark.product, pytest.mark.any_database]

NOBODY = "00000000-0000-4000-8000-000000000000"
# One of each way to read a body.
DOORS = [("POST", "phases/"), ("POST", f"assignments/{NOBODY}/submit/"), ("POST", "imports/")]
Send = Callable[..., int]


@pytest.fixture
def send(world: World) -> Send:
    """Sends a request. Fails at a status of 500 or above."""
    client = world.people["root"]

    def send(method: str, path: str, content: bytes | None = None, **headers: str) -> int:
        # A server that leaves a body unread closes the connection: each request has its own.
        own = {"Content-Type": "application/json", "Connection": "close", "Referer": str(client.base_url)}
        own["X-CSRFToken"] = client.cookies.get("csrftoken") or ""
        response = client.request(method, path, content=content, headers=own | headers)
        assert response.status_code < 500, (method, path, (content or b"")[:200], response.text[:300])
        return response.status_code

    return send


@pytest.mark.parametrize(("method", "path"), DOORS)
def test_bodies(send: Send, method: str, path: str) -> None:
    for body in BODIES:
        send(method, path, body)


def test_a_body_beyond_the_limit(send: Send) -> None:
    for method, path in DOORS[:2]:  # the third one takes files, and is sent none
        assert send(method, path, b'{"name": "' + b"a" * 3_000_000 + b'"}') == 413


@pytest.mark.parametrize(("method", "path"), [*DOORS, ("GET", "session/"), ("GET", "phases/")])
def test_other_content_types_and_methods(send: Send, method: str, path: str) -> None:
    for kind in CONTENT_TYPES:
        send(method, path, b"a=1", **{"Content-Type": kind})
    for other in ("PATCH", "OPTIONS", "HEAD", "TRACE", "PROPFIND"):
        send(other, path)


@pytest.mark.parametrize("path", ["phases/{}/settings/", "assignments/{}/", "invite/{}/", "gold/sets/?search={}"])
def test_addresses(send: Send, path: str) -> None:
    for value in ("0", "%00", "..", "%2e%2e%2f", NOBODY.upper(), "a" * 4000, "%ff"):
        send("GET", path.format(value), b"{}")
