"""Errors of the client: the server's refusals by their status, a lost connection, a run that did not end well."""

from collections.abc import Mapping
from typing import Any

import httpx


class StepmarkError(Exception):
    """Any error of the client."""


class ConnectionFailed(StepmarkError):
    """There was no answer, after all retries. A request that starts a run may still have arrived: see `runs()`."""


class RunFailed(StepmarkError):
    """A run that was waited for failed or was cancelled. `run` is as it was last read."""

    def __init__(self, run: Any) -> None:
        self.run = run
        end = "was cancelled" if run.status == "cancelled" else f"failed: {run.error}"
        super().__init__(f"The run {run.kind} {run.id} {end}")


class ApiError(StepmarkError):
    """The server's refusal. `code` is a word for programs, `errors` has the messages by field, and `request_id` finds
    the request in the server's log. `retry_after` is in seconds, if the server says so.
    """

    def __init__(self, response: httpx.Response) -> None:
        problem = _problem(response)
        self.status = response.status_code
        self.code = str(problem.get("code", ""))
        self.detail = str(problem.get("detail") or f"{response.reason_phrase} from {response.url}")
        self.errors = problem.get("errors")
        self.request_id = response.headers.get("X-Request-ID", "")
        self.retry_after = _seconds(response.headers.get("Retry-After", ""))
        super().__init__(f"{self.detail} ({self.status} {self.code}; request {self.request_id or 'without an id'})")


class BadRequest(ApiError):
    """400: a field or parameter is wrong or unknown."""


class Unauthorized(ApiError):
    """401: the token is missing, unknown, expired or revoked."""


class PermissionDenied(ApiError):
    """403: the token's owner may not do this, or the token is read-only."""


class NotFound(ApiError):
    """404: there is no such thing, or its owner may not see it."""


class Conflict(ApiError):
    """409: it can't be done in the present state."""


class TooManyRequests(ApiError):
    """429: more requests than are allowed, even after all retries."""


class ServerError(ApiError):
    """5xx: a crash, or no server behind the proxy, even after all retries."""


BY_STATUS: Mapping[int, type[ApiError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    429: TooManyRequests,
}


def refusal(response: httpx.Response) -> ApiError:
    """Returns the error that the response stands for."""
    kind = ServerError if response.is_server_error else BY_STATUS.get(response.status_code, ApiError)
    return kind(response)


def _problem(response: httpx.Response) -> dict[str, Any]:
    """Returns the body of a problem+json; empty for a proxy's own answer."""
    try:
        found = response.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _seconds(header: str) -> float | None:
    """Returns the seconds of Retry-After. A date in its place is passed over: the back-off decides then."""
    return float(header) if header.isdecimal() else None
