"""/livez, /readyz, /metrics: the server's state, for monitoring."""

import errno
import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import InterfaceError, OperationalError
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from annotate import allocation
from labeling import clock
from labeling.jobs import lifecycle
from labeling.models import Run, Tally, Worker
from stepmark.web import metrics, probes

TOKEN = "a long secret"


@pytest.fixture
def worker(db):
    now = clock.now()
    return Worker.objects.create(name="a", queues="cpu, gpu", started_at=now, last_seen_at=now)


@pytest.fixture(autouse=True)
def unknown():
    """Clears the cached check of the tables before each test."""
    probes._migrations.cache_clear()


def ask(address, client=None, **headers):
    """Sends a request as a probe does, to a host that is not among ours."""
    return (client or Client()).get(address, headers={"host": "10.0.0.7:8000"} | headers)


def test_ready(worker):
    answer = ask("/readyz")
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert answer.json()["checks"] == dict.fromkeys(["database", "migrations", "storage", "worker"], "ok")
    assert answer.json()["version"] == ask("/version").json()["version"] == ask("/livez").json()["version"]


def test_without_a_worker_it_is_not_ready_unless_that_is_excluded(db):
    answer = ask("/readyz")
    assert (answer.status_code, answer.json()["checks"]["worker"]) == (503, "No worker is alive.")
    assert int(answer["Retry-After"]) > 0
    assert ask("/readyz?exclude=worker").status_code == 200


@pytest.mark.parametrize("address", ["/readyz", "/healthz"])
def test_without_a_database_it_is_alive_and_not_ready(address, db, monkeypatch):
    def away():
        raise OperationalError("connection to 10.0.0.1 refused")

    with monkeypatch.context() as patched:
        patched.setattr(probes.connection, "cursor", away)
        answer = ask(address)
        assert ask("/livez").status_code == 200
    told = answer.json()["checks"]
    assert answer.status_code == 503
    assert {told[name] for name in ("database", "migrations", "worker")} == {"The database does not answer."}
    assert told["storage"] == "ok"
    assert "10.0.0.1" not in answer.content.decode()


def test_on_a_full_disk_it_is_not_ready(worker, monkeypatch):
    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(probes.tempfile, "TemporaryFile", full)
    answer = ask("/readyz")
    assert (answer.status_code, answer.json()["checks"]["storage"]) == (503, "Files can't be written.")


def test_tables_of_another_version_are_told(worker, monkeypatch):
    monkeypatch.setattr(probes.tables, "differences", lambda: iter(["there is no table x"]))
    assert ask("/readyz").json()["checks"]["migrations"] == "The database lacks this version's tables."


@pytest.mark.parametrize("address", probes.PROBES)
def test_posting_is_refused(address, refused):
    refused(Client(enforce_csrf_checks=True).post(address), 405, "method_not_allowed")


def test_metrics_are_for_who_has_the_token(settings, refused, admin_client, db):
    settings.METRICS_TOKEN = ""
    refused(ask("/metrics", authorization="Bearer "), 404, "not_found")
    settings.METRICS_TOKEN = TOKEN
    for given in ("", TOKEN, "Bearer wrong", f"Token {TOKEN}"):
        refused(ask("/metrics", admin_client, authorization=given), 401, "not_authenticated")
    assert ask("/metrics", authorization=f"Bearer {TOKEN}").status_code == 200


@pytest.fixture
def read(settings):
    """Returns the value of each sample by its name and labels' values."""
    settings.METRICS_TOKEN = TOKEN

    def act():
        text = ask("/metrics", authorization=f"Bearer {TOKEN}").content.decode()
        samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
        return {" ".join([sample.name, *sample.labels.values()]): sample.value for sample in samples}

    return act


def test_rows_are_measured(read, worker, make, open_round, annotator):
    make.scoring_run()
    make.training_run(status="failed")
    allocation.claim_next(phase=open_round.phase, annotator=annotator, now=clock.now())
    found = read()
    assert found["stepmark_database_up"] == 1
    assert (found["stepmark_runs score queued"], found["stepmark_runs train failed"]) == (1, 1)
    assert (found["stepmark_queue_runs gpu"], found["stepmark_queue_runs cpu"]) == (1, 0)
    assert 0 < found["stepmark_queue_age_seconds gpu"] < 60
    assert found["stepmark_workers cpu"] == found["stepmark_workers gpu"] == 1
    assert (found["stepmark_labellings_left"], found["stepmark_leases"]) == (3, 1)
    assert found["stepmark_disk_free_bytes"] > 0


@pytest.mark.parametrize(
    ("columns", "waited"),
    [
        ({}, 3600),
        ({"heartbeat_at": timedelta(minutes=-2)}, 120),  # given back by a worker
        ({"next_try_at": timedelta(minutes=-1)}, 60),
        ({"next_try_at": timedelta(minutes=1)}, 0),  # it waits for room on the disk, not for a worker
    ],
)
def test_a_run_waits_since_it_was_last_queued(read, make, columns, waited):
    now, run = clock.now(), make.scoring_run()
    since = {"created_at": now - timedelta(hours=1)} | {name: now + when for name, when in columns.items()}
    Run.objects.filter(pk=run.pk).update(**since)
    assert read()["stepmark_queue_age_seconds gpu"] == pytest.approx(waited, abs=30)


def test_a_run_that_is_tried_again_waits_since_then(read, make):
    hour, now = timedelta(hours=1), clock.now()
    run = make.scoring_run(status="failed", started_at=now - 3 * hour, heartbeat_at=now - 2 * hour)
    Run.objects.filter(pk=run.pk).update(created_at=now - 3 * hour)
    lifecycle.retry(run)
    assert read()["stepmark_queue_age_seconds gpu"] == pytest.approx(0, abs=30)
    run.refresh_from_db()
    assert run.elapsed == hour


def test_a_round_with_no_labelling_left_has_no_age(read, make, open_round, annotator):
    Tally.objects.create(round=open_round, annotator=annotator, done=3)
    open_round.phase.rounds.update(opened_at=clock.now() - timedelta(hours=2))
    other = make.round(make.phase())
    other.phase.rounds.update(opened_at=clock.now() - timedelta(hours=1))
    assert read()["stepmark_round_age_seconds"] == pytest.approx(3600, abs=30)


def test_requests_are_measured(read, annotator_client, phase, open_round):
    before = read()
    task = annotator_client.post(f"/api/phases/{phase.pk}/claim/").json()["assignment"]["id"]
    annotator_client.post(f"/api/assignments/{task}/submit/", {})
    annotator_client.get("/nothing/")
    after = read()
    new = {name: after[name] - before.get(name, 0) for name in after}
    assert new["stepmark_requests_total POST /api/phases/{}/claim/ 200"] == new["stepmark_claim_seconds_count"] == 1
    assert new["stepmark_submit_seconds_count"] == new["stepmark_submissions_refused_total invalid 400"] == 1
    assert not [name for name in after if str(phase.pk) in name or "nothing" in name]


def test_a_method_that_a_client_made_up_makes_no_new_series(read, db):
    for made_up in ("BREW", "TEAPOT"):
        assert Client().generic(made_up, "/api/session/").status_code == 405
    named = " ".join(read())
    assert "stepmark_request_seconds_count other" in named
    assert "BREW" not in named and "TEAPOT" not in named


@pytest.mark.parametrize("error", [OperationalError("connection refused"), InterfaceError("connection already closed")])
def test_without_a_database_the_others_are_still_told(error, read, db, monkeypatch):
    def away():
        raise error

    monkeypatch.setattr(metrics, "_workers", away)
    found = read()
    assert found["stepmark_database_up"] == 0
    assert "stepmark_disk_free_bytes" in found
    assert "stepmark_leases" not in found


def test_without_the_data_folders_disk_the_others_are_still_told(read, db, settings, tmp_path):
    settings.DATA_DIR = tmp_path / "unmounted"
    found = read()
    assert found["stepmark_database_up"] == 1
    assert "stepmark_disk_free_bytes" not in found


def test_every_metric_is_on_its_page_and_nothing_else(read, worker, make):
    make.scoring_run()
    text = (Path(__file__).resolve().parents[3] / "docs" / "how-to" / "monitor.md").read_text()
    named = re.findall(r"^\| `(stepmark_\w+)", text, re.MULTILINE)
    families = [family.name for family in metrics.Read().collect()]
    counted = [metrics.REQUESTS, metrics.SECONDS, metrics.CLAIM_SECONDS, metrics.SUBMIT_SECONDS, metrics.REFUSED]
    families += [family.name + "_total" * (family.type == "counter") for each in counted for family in each.describe()]
    assert sorted(named) == sorted(families)


def test_the_page_of_health(admin_client, ml_staff_client, worker):
    for client in (admin_client, ml_staff_client):
        body = client.get("/api/health/").json()
        assert body["is_well"] == (not any(each["is_wrong"] for each in body["checks"]))
        assert {"database", "storage", "workers"} <= {each["about"] for each in body["checks"]}
