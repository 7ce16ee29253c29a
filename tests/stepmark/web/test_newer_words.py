"""Web servers older than the database: they refuse nothing for good that a newer one may know."""

import json

import pytest
from django.db.migrations.recorder import MigrationRecorder

from labeling.models import Run
from stepmark.doctor import checks

SUBMISSION = {"ratings": [], "finish_reason": "skipped"}


@pytest.fixture
def behind(db, monkeypatch):
    found = {("labeling", "9999_a_later_one"): None}
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _: found)


def waits(refused, answer):
    assert "being upgraded" in refused(answer, 503, "unavailable")["detail"]
    assert int(answer["Retry-After"]) > 0


def test_work_with_a_word_of_a_newer_page_is_sent_again(annotator_client, assignment, behind, refused):
    address = f"/api/assignments/{assignment.pk}"
    waits(refused, annotator_client.post(f"{address}/submit/", SUBMISSION))
    waits(refused, annotator_client.put(f"{address}/draft/", {"ratings": [], "version": 1, "mood": "good"}))
    waits(refused, annotator_client.post(f"/api/phases/{assignment.task.round.phase_id}/claim/", {"mood": "good"}))


def test_without_an_upgrade_it_is_refused(annotator_client, assignment, refused):
    answer = annotator_client.post(f"/api/assignments/{assignment.pk}/submit/", SUBMISSION)
    refused(answer, 400, "invalid")


def test_other_refusals_stay_the_same(admin_client, behind, refused):
    refused(admin_client.post("/api/phases/", {"name": ""}), 400, "invalid")


def test_a_run_of_a_newer_kind_is_told_once_the_server_knows_it(admin_client, behind, refused, caplog):
    run = Run.objects.create(kind="distil", status="running")
    admin_client.raise_request_exception = False
    assert str(run.pk) not in json.dumps(admin_client.get("/api/runs/").json())
    waits(refused, admin_client.get(f"/api/runs/{run.pk}/"))
    waits(refused, admin_client.post(f"/api/runs/{run.pk}/retry/"))
    assert "KeyError: 'distil'" in caplog.text, "the log has the traceback"


def test_the_doctor_looks_at_the_kinds_that_it_knows(db):
    Run.objects.create(kind="distil")
    assert [found.text for found in checks.look("workers")]
