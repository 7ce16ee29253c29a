"""Requests as values, and when one is sent again. Nothing here sends: the two connections do, with and without await.

Everything that takes several requests is a generator of events, written once: it yields a Call and is sent the
response, or yields a Pause; a stream also yields Items, which go to its caller.

Sent again after an error that may pass are
- requests without effect or with the same effect when repeated: GET, HEAD, PUT, DELETE, and the POSTs of which the API
  promises it (`is_repeatable`: claim, submit, close, cancel);
- any other request, such as a POST that starts a run, only if the server surely did not act: no connection was made, or
  the answer is 408, 429 or 503, which are given instead of acting. So no run is ever started twice.
"""

import random
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Generic, TypeVar

import httpx

from stepmark.client.errors import ConnectionFailed, refusal

T = TypeVar("T")
FIRST_PAUSE, LONGEST_PAUSE, LONGEST_RETRY_AFTER = 0.5, 8.0, 60.0  # seconds
REPEATABLE = {"GET", "HEAD", "PUT", "DELETE"}
NOT_DONE = {408, 429, 503}
MAY_PASS = NOT_DONE | {500, 502, 504}
NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)


@dataclass(frozen=True)
class Call:
    """One request, relative to the API's address. With `into`, the body is written to that file."""

    method: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict)
    json: Any = None
    form: Mapping[str, Any] | None = None
    file: tuple[str, IO[bytes]] | None = None
    into: IO[bytes] | None = None
    is_repeatable: bool = False

    def request(self, http: httpx.Client | httpx.AsyncClient) -> httpx.Request:
        params = {name: value for name, value in self.params.items() if value is not None}
        files = {"file": self.file} if self.file else None
        return http.build_request(
            self.method, self.path, params=params or None, json=self.json, data=self.form, files=files
        )

    def may_repeat(self, failure: httpx.Response | httpx.TransportError) -> bool:
        """Returns whether the request may be sent again after this answer or lost connection."""
        is_repeatable = self.is_repeatable or self.method in REPEATABLE
        if isinstance(failure, httpx.Response):
            return failure.status_code in (MAY_PASS if is_repeatable else NOT_DONE)
        return is_repeatable or isinstance(failure, NOT_SENT)


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Item(Generic[T]):
    value: T


Steps = Generator[Call | Pause, Any, T]
Stream = Generator[Call | Pause | Item[T], Any, None]


def answered(call: Call, retries: int) -> Steps[Any]:
    """Returns the decoded answer; None without one. Raises ApiError and ConnectionFailed after all retries."""
    for attempt in range(retries + 1):
        pause = back_off(attempt)
        try:
            response: httpx.Response = yield call
        except httpx.TransportError as lost:
            if attempt == retries or not call.may_repeat(lost):
                message = f"{call.method} {call.path}: no answer ({lost or type(lost).__name__})."
                raise ConnectionFailed(message) from lost
        else:
            if response.is_success:
                return response.json() if call.into is None and response.content else None
            refused = refusal(response)
            pause = pause if refused.retry_after is None else refused.retry_after
            if attempt == retries or not call.may_repeat(response) or pause > LONGEST_RETRY_AFTER:
                raise refused
        yield Pause(pause)
    raise AssertionError("unreachable")


def back_off(attempt: int) -> float:
    """Returns seconds: twice as many each time, less up to a half at random: many clients don't come back at once."""
    return min(LONGEST_PAUSE, FIRST_PAUSE * float(2**attempt)) * random.uniform(0.5, 1)
