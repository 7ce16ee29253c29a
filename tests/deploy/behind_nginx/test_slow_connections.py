"""Connections that send a byte now and then keep nobody else waiting at the proxy, nor, for long, at a web server."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic

import httpx
import pytest

from stepmark.web.slow_clients import HEADERS_WITHIN_SECONDS
from tests.deploy.behind_nginx.conftest import Deployment
from tests.product.world import until

pytestmark = pytest.mark.product
SLOW = 64  # of each kind; a web server has four threads
HEAD = b"GET /api/session/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = (
    b"POST /api/session/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\nContent-Type: application/json\r\n\r\n{"
)
# On a busy machine, too. If the web servers had the slow connections, a request would wait for 40 s: 64 heads, each of
# which takes one of eight threads for five seconds.
PROMPT_SECONDS = 15


@contextmanager
def slow(connect: Callable[[], socket.socket], begun: bytes, number: int) -> Iterator[Callable[[], None]]:
    """Opens connections and begins a request on each. Yields a function that sends one more byte on each open one."""
    with ExitStack() as stack:
        opened = [stack.enter_context(connect()) for _ in range(number)]
        for each in opened:
            each.sendall(begun)

        def drip() -> None:
            for each in opened:
                with suppress(OSError):
                    each.sendall(b"x")

        yield drip


@pytest.mark.parametrize("begun", [HEAD, BODY], ids=["heads", "bodies"])
def test_slow_connections_to_the_proxy_delay_nobody(deployed: Deployment, begun: bytes) -> None:
    trust = deployed.proxy.trust()

    def connect() -> socket.socket:
        plain = socket.create_connection(("localhost", deployed.proxy.https), timeout=30)
        return trust.wrap_socket(plain, server_hostname="localhost")

    with slow(connect, begun, SLOW) as drip, deployed.client() as client:
        for _ in range(5):
            drip()
            before = monotonic()
            assert client.get("/api/session/").status_code == 200
            assert monotonic() - before < PROMPT_SECONDS


def test_a_web_server_alone_soon_drops_slow_connections(deployed: Deployment) -> None:
    port = deployed.ports[0]
    headers = {"X-Forwarded-Proto": "https"}

    def answers(within_seconds: float) -> bool:
        drip()
        with suppress(httpx.TransportError):
            address = f"http://127.0.0.1:{port}/api/session/"
            return httpx.get(address, headers=headers, timeout=within_seconds).is_success
        return False

    with slow(lambda: socket.create_connection(("127.0.0.1", port), timeout=30), HEAD, 8) as drip:
        assert not answers(within_seconds=1)
        # First those that have a thread are dropped, then those that waited for one: four at a time.
        soon = 2 * HEADERS_WITHIN_SECONDS + PROMPT_SECONDS
        until(lambda: answers(HEADERS_WITHIN_SECONDS), "the web server answers", within_seconds=soon)
