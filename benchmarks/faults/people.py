"""People who work through all faults: annotators, who send a labelling until it is acknowledged, and staff."""

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any
from uuid import uuid4

import httpx

import stepmark
from benchmarks.faults import seed
from stepmark.client import ApiError, ConnectionFailed, ServerError, StepmarkError, TooManyRequests
from tests.product.words import PASSWORD
from tests.product.world import base
from tests.running.product import wait

Row = dict[str, Any]
OVERLAP = 2
STEPS = 3
THINKS_SECONDS = 0.3
PAUSE_SECONDS = 0.3
PATIENCE_SECONDS = 180
TIMEOUT_SECONDS = 10
ENDED = {"done", "failed", "cancelled"}
NOTHING_TO_TRAIN_ON = {"nothing_to_freeze", "not_ready"}  # yet


class GaveUp(Exception):
    """A request was not answered, or a run not finished, within the patience of a person."""


@dataclass
class Work:
    """A record of everybody's work. `acknowledged`: labellings with their number of ratings; `last_at`: when
    somebody was last answered.
    """

    acknowledged: list[tuple[str, int]] = field(default_factory=list)
    last_at: float = 0.0
    errors: int = 0  # after which a request was sent again
    lost_leases: int = 0
    refused: list[str] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)
    publishing: bool = True


def client(address: str, trust: ssl.SSLContext, username: str) -> stepmark.Client:
    """Returns the person's client, which doesn't send anything again by itself."""
    with httpx.Client(base_url=address, verify=trust, timeout=60, headers={"Referer": address}) as browser:
        browser.get("/api/session/").raise_for_status()
        own = {"X-CSRFToken": browser.cookies["__Host-csrftoken"]}
        signed_in = browser.post("/api/session/", json={"username": username, "password": PASSWORD}, headers=own)
        signed_in.raise_for_status()
        own = {"X-CSRFToken": browser.cookies["__Host-csrftoken"]}
        token = browser.post("/api/tokens/", json={"name": f"faults {uuid4()}"}, headers=own)
        token.raise_for_status()
    transport = httpx.HTTPTransport(verify=trust)
    return stepmark.Client(address, token.json()["secret"], timeout=TIMEOUT_SECONDS, retries=0, transport=transport)


def insist(work: Work, act: Callable[[], Any]) -> Any:
    """Does the act again until it is answered, as a browser does. Raises GaveUp, or the server's refusal."""
    deadline = monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return act()
        except (ConnectionFailed, ServerError, TooManyRequests) as error:
            work.errors += 1
            if monotonic() > deadline:
                raise GaveUp(str(error)) from error
            wait(PAUSE_SECONDS)


def label(person: stepmark.Client, phase: str, work: Work) -> None:
    """Labels whatever there is until everybody stops. A task in hand is finished."""
    ratings = [{"step": step, "rating": 1} for step in range(STEPS)]
    body = {"ratings": ratings, "finish_reason": "solution", "ahead": False}
    while not work.stopping.is_set():
        task = insist(work, partial(person.claim, phase))
        work.last_at = monotonic()
        if task is None:
            wait(PAUSE_SECONDS)
            continue
        wait(THINKS_SECONDS)
        submit = partial(person.request, "POST", f"assignments/{task['id']}/submit/", json=body)
        try:
            answer = insist(work, submit)
        except ApiError as error:
            if error.code == "lease_lost":  # it is somebody else's by now
                work.lost_leases += 1
                continue
            raise
        work.last_at = monotonic()
        work.acknowledged.append((answer["labelling_id"], STEPS))


def publish(staff: stepmark.Client, phase: str, size: int, work: Work) -> None:
    """Publishes one round after the other while people work."""
    while work.publishing and not work.stopping.is_set():
        rounds = insist(work, lambda: list(staff.rounds(phase)))
        if any(each["status"] != "closed" for each in rounds):
            wait(PAUSE_SECONDS)
            continue
        selection = finished(staff, work, "selections", phase=phase, size=size, policy="uniform", reward_model=None)
        if selection["status"] == "done" and not work.stopping.is_set():
            finished(staff, work, "publications", selection=selection["id"], overlap=OVERLAP)


def train(staff: stepmark.Client, phase: str, work: Work) -> None:
    """Trains one tiny model after the other on the labels of closed rounds."""
    start, settings = base(), {"epochs": 10}
    while work.publishing and not work.stopping.is_set():
        name = f"model {monotonic():.0f}"
        try:
            finished(
                staff, work, "training-runs", name=name, phase=phase, phases=[phase], base=start, settings=settings
            )
        except ApiError as error:
            if error.code not in NOTHING_TO_TRAIN_ON:
                raise
            wait(PAUSE_SECONDS)


def finished(staff: stepmark.Client, work: Work, kind: Any, **body: Any) -> Row:
    """Starts the run. Returns its row at its end. If the answer is lost, the run is looked up, not started twice."""

    def start() -> str:
        try:
            return str(staff.run(kind, **body).id)
        except StepmarkError:
            for found in staff.request("GET", f"{kind}/")["results"]:
                if found["status"] not in ENDED:
                    return str(found["id"])
            raise

    run = insist(work, start)
    deadline = monotonic() + 2 * PATIENCE_SECONDS
    while (row := insist(work, lambda: staff.request("GET", f"runs/{run}/")))["status"] not in ENDED:
        if monotonic() > deadline:
            raise GaveUp(f"{kind} {run} is still {row['status']}")
        wait(PAUSE_SECONDS)
    return dict(row)


@contextmanager
def at_work(address: str, trust: ssl.SSLContext, *, people: int, size: int, trains: bool) -> Iterator[Work]:
    """Lets people work until the block ends. Then the round that is open is labelled to its end."""
    work = Work()
    staff = client(address, trust, seed.STAFF)
    phase = staff.create_phase("Faults", shared_rate=0, closes_full_rounds=True)["id"]
    names = [seed.name(number) for number in range(people)]
    staff.add_members(phase, *names)
    everybody = [client(address, trust, name) for name in names]
    acts: list[Callable[[], None]] = [partial(label, each, phase, work) for each in everybody]
    own: list[Callable[[], None]] = [partial(publish, staff, phase, size, work)]
    if trains:
        staff_again = client(address, trust, seed.STAFF)
        everybody.append(staff_again)
        own.append(partial(train, staff_again, phase, work))
    publishers = [threading.Thread(target=_heard, args=(work, act)) for act in own]
    threads = [threading.Thread(target=_heard, args=(work, act)) for act in acts]
    for thread in [*publishers, *threads]:
        thread.start()
    try:
        yield work
        work.publishing = False
        for thread in publishers:
            thread.join()
        _until(work, "the last round is not full", lambda: _rounds_are_closed(staff, phase))
        _until(work, "some run has not ended", lambda: _runs_have_ended(staff))
    finally:
        work.stopping.set()
        for thread in [*publishers, *threads]:
            thread.join()
        for each in [staff, *everybody]:
            each.close()


def _until(work: Work, complaint: str, is_so: Callable[[], bool]) -> None:
    """Waits until `is_so`; after PATIENCE_SECONDS, adds the complaint to `refused` instead."""
    deadline = monotonic() + PATIENCE_SECONDS
    while not insist(work, is_so):
        if monotonic() > deadline:
            work.refused.append(complaint)
            return
        wait(PAUSE_SECONDS)


def _rounds_are_closed(staff: stepmark.Client, phase: str) -> bool:
    return all(each["status"] == "closed" for each in staff.rounds(phase))


def _runs_have_ended(staff: stepmark.Client) -> bool:
    """Returns whether all runs have ended, also the evaluations after trainings, for which nobody here waits."""
    return all(each["status"] in ENDED for each in staff.request("GET", "runs/")["results"])


def _heard(work: Work, act: Callable[[], None]) -> None:
    try:
        act()
    except Exception as error:
        work.refused.append(f"{type(error).__name__}: {error}")
        with suppress(AttributeError):
            work.refused[-1] += f" ({error.code})"  # type: ignore[attr-defined]
