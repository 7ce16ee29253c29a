"""Metrics for Prometheus: each web process counts its requests; the other metrics are read when they are asked for.

Only web processes import this, and only after gunicorn's configuration (stepmark/web/server.py) has said where several
processes add up what they count.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from http import HTTPMethod
from importlib.metadata import version
from time import perf_counter

from django.conf import settings
from django.db import Error
from django.db.models import Count, F, Min, Q, Sum
from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST as CONTENT_TYPE
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from labeling import clock
from labeling.jobs import lifecycle
from labeling.models import Assignment, Round, RoundStatus, Run, Status, Worker
from labeling.rules.words import RunKind
from stepmark.web.routes import without_names

__all__ = ["CONTENT_TYPE", "Measured", "text"]

CLAIM, SUBMIT = "/api/phases/{}/claim/", "/api/assignments/{}/submit/"
QUEUES = sorted({kind.traits.queue for kind in RunKind})
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

REQUESTS = Counter("stepmark_requests", "Requests answered.", ["method", "route", "status"])
SECONDS = Histogram("stepmark_request_seconds", "Time to answer a request.", ["method"], buckets=BUCKETS)
CLAIM_SECONDS = Histogram("stepmark_claim_seconds", "Time to hand out a task.", buckets=BUCKETS)
SUBMIT_SECONDS = Histogram("stepmark_submit_seconds", "Time to store a submission.", buckets=BUCKETS)
REFUSED = Counter("stepmark_submissions_refused", "Submissions that were not stored.", ["status", "code"])
TIMED = {CLAIM: CLAIM_SECONDS, SUBMIT: SUBMIT_SECONDS}


class Measured:
    """Middleware that counts and times requests."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begun = perf_counter()
        response = self.get_response(request)
        _count_request(request, response, perf_counter() - begun)
        return response


def _count_request(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    route = f"/{without_names(request.resolver_match.route)}" if request.resolver_match else "unknown"
    method = request.method if request.method in HTTPMethod.__members__ else "other"  # a client may send any word
    status = str(response.status_code)
    REQUESTS.labels(method, route, status).inc()
    SECONDS.labels(method).observe(seconds)
    if method == "POST" and route in TIMED:
        TIMED[route].observe(seconds)
    if route == SUBMIT and response.status_code >= 400:
        problem = getattr(response, "data", None)
        REFUSED.labels(status, problem.get("code", "") if isinstance(problem, dict) else "").inc()


def text() -> bytes:
    """Returns all metrics in Prometheus's format."""
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        for counted in (REQUESTS, SECONDS, CLAIM_SECONDS, SUBMIT_SECONDS, REFUSED):
            registry.register(counted)
    registry.register(Read())
    return generate_latest(registry)


class Read(Collector):
    """Metrics that are read when they are asked for: from the database, once for all processes, and from the disk."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        info = GaugeMetricFamily("stepmark_info", "The version; always 1.", labels=["version"])
        info.add_metric([version("stepmark")], 1)
        yield info
        room = GaugeMetricFamily("stepmark_disk_free_bytes", "Room on the data folder's disk.")
        with suppress(OSError):  # the disk is away
            room.add_metric([], shutil.disk_usage(settings.DATA_DIR).free)
        yield room
        try:
            rows = [*_runs(), *_queues(), *_workers(), *_labelling()]
        except Error:
            rows = []
        up = float(bool(rows))
        yield GaugeMetricFamily("stepmark_database_up", "1 if the database answers, else 0.", value=up)
        yield from rows


def _runs() -> Iterator[GaugeMetricFamily]:
    runs = GaugeMetricFamily("stepmark_runs", "Runs.", labels=["kind", "status"])
    for kind, status, number in Run.objects.values_list("kind", "status").annotate(Count("pk")).order_by():
        runs.add_metric([kind, status], number)
    yield runs


def _queues() -> Iterator[GaugeMetricFamily]:
    length = GaugeMetricFamily("stepmark_queue_runs", "Runs that wait.", labels=["queue"])
    age = GaugeMetricFamily("stepmark_queue_age_seconds", "How long the oldest of them has waited.", labels=["queue"])
    now = clock.now()
    for queue in QUEUES:
        kinds = [kind for kind in RunKind if kind.traits.queue == queue]
        waiting = Run.objects.filter(status=Status.QUEUED, kind__in=kinds)
        found = waiting.with_waiting_since().aggregate(runs=Count("pk"), first=Min("waiting_since"))
        length.add_metric([queue], found["runs"])
        age.add_metric([queue], max(0, (now - (found["first"] or now)).total_seconds()))
    yield length
    yield age


def _workers() -> Iterator[GaugeMetricFamily]:
    workers = GaugeMetricFamily("stepmark_workers", "Live workers, by the queue that they serve.", labels=["queue"])
    alive = Worker.objects.filter(last_seen_at__gte=lifecycle.stale_before(clock.now()))
    served = [queue for worker in alive for queue in worker.queues.split(", ")]
    for queue in QUEUES:
        workers.add_metric([queue], served.count(queue))
    yield workers


def _labelling() -> Iterator[GaugeMetricFamily]:
    now = clock.now()
    open_rounds = Round.objects.filter(status=RoundStatus.OPEN, number__gte=0).with_progress()
    with_any_left = Q(labellings_wanted__gt=F("labellings_done"))
    found = open_rounds.aggregate(
        wanted=Sum("labellings_wanted", default=0),
        done=Sum("labellings_done", default=0),
        first=Min("opened_at", filter=with_any_left),
    )
    left, age = found["wanted"] - found["done"], (now - (found["first"] or now)).total_seconds()
    leases = Assignment.objects.in_hand(now=now).count()
    yield GaugeMetricFamily("stepmark_labellings_left", "Labellings that open rounds still need.", value=left)
    yield GaugeMetricFamily("stepmark_round_age_seconds", "How long the oldest round with any left is open.", value=age)
    yield GaugeMetricFamily("stepmark_leases", "Tasks in people's hands, with those fetched ahead.", value=leases)
