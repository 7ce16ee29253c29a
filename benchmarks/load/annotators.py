"""Scripted annotators that send a browser's requests as fast as the server answers, and log their waiting times."""

import http.client
import json
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from benchmarks.load.page_requests import DRAFT, EACH_TASK, FIRST_LOAD

SUBMIT = EACH_TASK[-1]
TIMEOUT_SECONDS = 60


@dataclass
class Log:
    """One annotator's requests with their seconds, the labellings acknowledged, and errors."""

    requests: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    acknowledged: list[tuple[str, int]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Refused(Exception):
    """The server answered with an error."""


class Connection:
    """Sends one person's requests, each on a new connection: both servers hang up in the seconds between two."""

    def __init__(self, address: str, headers: dict[str, str] | None = None) -> None:
        place = urlsplit(address)
        self.address, self.headers, self.log = address, headers or {}, Log()
        self.cookies: dict[str, str] = {}
        self._http = http.client.HTTPConnection(place.hostname or "", place.port, timeout=TIMEOUT_SECONDS)

    def call(self, request: str, ids: dict[str, Any], body: Any = None) -> Any:
        """Returns the decoded answer to a request like "GET /api/phases/{phase}/". Raises Refused, or an error of
        http.client if the server hung up.
        """
        data = None if body is None else json.dumps(body)
        method, path = request.format(**ids).split(" ")
        own = {"Cookie": "; ".join(f"{key}={value}" for key, value in self.cookies.items()), "Referer": self.address}
        own["X-CSRFToken"] = self.cookies.get("csrftoken", "")
        started_at = monotonic()
        self._http.request(method, path, data, {"Content-Type": "application/json", **own, **self.headers})
        response = self._http.getresponse()
        content = response.read()
        self._http.close()
        self.log.seconds[request].append(monotonic() - started_at)
        self.log.requests.append(request)
        for cookie in response.headers.get_all("Set-Cookie") or []:
            key, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[key] = value
        if response.status >= 400:
            raise Refused(f"{method} {path}: {response.status} {content[:300]!r}")
        return json.loads(content) if content else None

    def close(self) -> None:
        self._http.close()


class Person:
    """An annotator of Stepmark, signed in."""

    def __init__(self, address: str, phase: str, username: str, password: str, *, drafts: int = 1) -> None:
        self.phase, self.page, self.drafts = phase, Connection(address), drafts
        self.page.call("GET /api/session/", {})
        self.page.call("POST /api/session/", {}, {"username": username, "password": password})

    def first_load(self) -> dict[str, Any] | None:
        """Sends the page's first requests. Returns the task in hand."""
        in_hand: dict[str, Any] | None = None
        ids, claims = {"phase": self.phase}, iter([{"ahead": ahead} for ahead in range(3)])
        for request in FIRST_LOAD:
            is_claim = request.endswith("/claim/")
            answer = self.page.call(request, ids, next(claims) if is_claim else None)
            if is_claim and in_hand is None:
                in_hand = answer["assignment"]
                if in_hand is None:
                    return None
                ids["version"] = in_hand["phase"]["guidelines_version"]
        return in_hand

    def label(self, assignment: dict[str, Any]) -> dict[str, Any] | None:
        """Labels one task, with its drafts and its submission. Returns the next one."""
        ids, steps = {"assignment": assignment["id"]}, len(assignment["solution"]["steps"])
        for version in range(1, self.drafts + 1):
            self.page.call(DRAFT, ids, {"version": version, **work(steps // 2), "finish_note": ""})
        whole = {**work(steps), "finish_reason": "solution", "finish_note": "", "ahead": True}
        whole["guidelines_version"] = assignment["phase"]["guidelines_version"] or None
        reply = self.page.call(SUBMIT, ids, whole)
        self.page.log.acknowledged.append((reply["labelling_id"], steps))
        following: dict[str, Any] | None = reply["next"]["assignment"]
        return following

    def works(self) -> Iterator[None]:
        """Labels a task at each step of the iterator, until none is left."""
        assignment = self.first_load()
        while assignment is not None:
            assignment = self.label(assignment)
            yield


def work(steps: int) -> dict[str, Any]:
    """Returns a submission that rates so many steps Great, in the page's format."""
    rated = {"completion": 0, "rating": 1}
    return {
        "ratings": [
            {"step": at, **rated, "is_flagged": False, "is_chosen": True, "is_human": False, "note": "", "active_ms": 9}
            for at in range(steps)
        ],
        "history": [{"step": at, **rated, "at_ms": 10 * at} for at in range(steps)],
        "critiques": [],
        "solution_progress": "",
        "active_ms": 9 * steps,
    }


@dataclass(frozen=True)
class Played:
    """`tasks` finished within `seconds` by all together; their logs, put together."""

    people: int
    seconds: float
    tasks: int
    log: Log


Player = tuple[Connection, Callable[[], Iterator[None]]]


def play(workers: Sequence[Player], *, seconds: float) -> Played:
    """Runs all workers at once, each in a thread, until the time is over; each finishes the task it has begun.

    Each worker's log begins anew.
    """
    start, done = threading.Barrier(len(workers) + 1), [0] * len(workers)
    ends_at = 0.0

    def run(number: int, connection: Connection, works: Callable[[], Iterator[None]]) -> None:
        start.wait()
        try:
            for _ in works():
                done[number] += 1
                if monotonic() > ends_at:
                    return
        except (Refused, OSError, http.client.HTTPException) as error:
            connection.log.errors.append(f"{type(error).__name__}: {error}")

    for connection, _ in workers:
        connection.log = Log()
    threads = [threading.Thread(target=run, args=(number, *each)) for number, each in enumerate(workers)]
    for thread in threads:
        thread.start()
    ends_at = monotonic() + seconds
    started_at = monotonic()
    start.wait()
    for thread in threads:
        thread.join()
    return Played(len(workers), monotonic() - started_at, sum(done), _together([each.log for each, _ in workers]))


def _together(logs: Sequence[Log]) -> Log:
    whole = Log()
    for log in logs:
        for name, seconds in log.seconds.items():
            whole.seconds[name] += seconds
        whole.acknowledged += log.acknowledged
        whole.errors += log.errors
    return whole
