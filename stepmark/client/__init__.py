"""The Python client: Stepmark's API for scripts and notebooks, with and without await. Knows nothing of the server."""

import os
from types import TracebackType
from typing import Any, Self

import httpx

from stepmark.client.api import Api, Kind
from stepmark.client.connections import Async, AsyncConnection, Connection, Sync
from stepmark.client.errors import (
    ApiError,
    BadRequest,
    Conflict,
    ConnectionFailed,
    NotFound,
    PermissionDenied,
    RunFailed,
    ServerError,
    StepmarkError,
    TooManyRequests,
    Unauthorized,
)
from stepmark.client.labels import AsyncLabels, LabelRecord, Labels
from stepmark.client.runs import AsyncRun, Run
from stepmark.client.verifying import VerifiedSolution

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncLabels",
    "AsyncRun",
    "BadRequest",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "Kind",
    "LabelRecord",
    "Labels",
    "NotFound",
    "PermissionDenied",
    "Run",
    "RunFailed",
    "ServerError",
    "StepmarkError",
    "TooManyRequests",
    "Unauthorized",
    "VerifiedSolution",
]

TIMEOUT = httpx.Timeout(60, connect=5)
# The server hangs up on a connection after two idle seconds: never use one that it may be about to close.
LIMITS = httpx.Limits(keepalive_expiry=1)


def _settings(url: str | None, token: str | None, timeout: float | None) -> dict[str, Any]:
    """Returns the arguments of an httpx client. Raises StepmarkError without a token."""
    url = url or os.environ.get("STEPMARK_URL") or "http://127.0.0.1:8000"
    token = token or os.environ.get("STEPMARK_TOKEN")
    if not token:
        raise StepmarkError("There is no token: make one on the Account page, and give it as token or STEPMARK_TOKEN.")
    return {
        "base_url": f"{url.rstrip('/').removesuffix('/api')}/api/",
        "headers": {"Authorization": f"Token {token}", "Accept": "application/json"},
        "timeout": timeout or TIMEOUT,
        "limits": LIMITS,
    }


class Client(Api[Run, Labels], Sync):
    """Stepmark's API, as the owner of a token.

        with stepmark.Client("http://127.0.0.1:8000", token="…") as client:
            client.run("training-runs", name="mine", phase=phase).wait()

    Without arguments, STEPMARK_URL and STEPMARK_TOKEN are read. `timeout`: seconds of each request; `retries`: how
    often one is sent again after errors that may pass (see `stepmark.client.calls`). Errors are StepmarkErrors.
    """

    run_type, labels_type = Run, Labels
    connection: Connection

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float | None = None,
        retries: int = 4,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        http = httpx.Client(**_settings(url, token, timeout), transport=transport)
        self.connection = Connection(http, retries)

    def close(self) -> None:
        self.connection.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class AsyncClient(Api[AsyncRun, AsyncLabels], Async):
    """Client, with methods to await and lists for `async for`."""

    run_type, labels_type = AsyncRun, AsyncLabels
    connection: AsyncConnection

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float | None = None,
        retries: int = 4,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        http = httpx.AsyncClient(**_settings(url, token, timeout), transport=transport)
        self.connection = AsyncConnection(http, retries)

    async def close(self) -> None:
        await self.connection.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()
