"""Workers older than the database: they leave what they don't know to newer ones, and fail no run."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from labeling import versions
from labeling.jobs import lifecycle
from labeling.models import Run, Worker
from prm_training.reward_models import verifier
from prm_training.worker import tasks
from prm_training.worker.heartbeat import Heartbeat

NEWER = "distil"  # a kind of run


@pytest.fixture
def applied(db, monkeypatch):
    """Pretends that these migrations were applied to the database."""

    def act(*found):
        monkeypatch.setattr(versions, "_known", lambda: frozenset({("labeling", "0001_tables")}))  # tests have none
        monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda _: dict.fromkeys(found))

    return act


@pytest.fixture
def behind(applied):
    applied(("labeling", "0001_tables"), ("labeling", "9999_a_later_one"))


@pytest.fixture
def newer_run(db):
    return lambda **columns: Run.objects.create(kind=NEWER, **columns)


@pytest.mark.parametrize(
    ("migration", "is_behind"),
    [
        (("labeling", "0001_tables"), False),
        (("of_another_product", "0001_initial"), False),
        (("annotate", "9999_a_later_one"), True),
    ],
)
def test_it_is_behind_once_the_database_has_a_later_migration(applied, migration, is_behind):
    applied(migration)
    assert versions.is_behind() == is_behind


def test_without_a_database_it_is_not_behind(db, monkeypatch):
    def away(_):
        raise OperationalError("connection refused")

    monkeypatch.setattr(MigrationRecorder, "applied_migrations", away)
    assert not versions.is_behind()


def test_a_message_of_a_run_of_a_newer_kind_leaves_it_as_it_is(newer_run):
    run = newer_run()
    for task in (tasks.run, tasks.help_out):
        task(NEWER, str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.attempts, run.error) == ("queued", 0, "")


def test_a_heartbeat_goes_on_beside_runs_of_a_newer_kind(newer_run, broker, make, now):
    heart = Heartbeat()
    queued = newer_run()
    silent = newer_run(status="running", worker="a newer one", heartbeat_at=now - timedelta(hours=1))
    known = make.scoring_run(status="running", worker="another", heartbeat_at=now - timedelta(hours=1))
    for _ in range(2):
        heart.beat(now=now)
    for run in (queued, silent, known):
        run.refresh_from_db()
    assert (queued.status, silent.status, known.status) == ("queued", "running", "queued")


def fail(*_):
    raise ValueError("'skipped' is not a valid FinishReason")


def test_a_run_that_fails_on_an_older_worker_waits_for_a_newer_one(make, behind, monkeypatch):
    run = make.training_run()
    now = timezone.now()
    for wait in (5, 10):
        monkeypatch.setattr(lifecycle.clock, "now", lambda: now)  # noqa: B023
        lifecycle.carry_out(run.pk, fail, worker="a")
        run.refresh_from_db()
        assert (run.status, run.worker, run.attempts) == ("queued", "", 0)
        assert "being upgraded" in run.error
        assert "not a valid FinishReason" in run.error
        assert round((run.next_try_at - timezone.now()).total_seconds()) == wait
        now = run.next_try_at


def test_a_worker_of_the_databases_version_fails(make):
    run = make.training_run()
    with pytest.raises(ValueError, match="FinishReason"):
        lifecycle.carry_out(run.pk, fail, worker="a")
    run.refresh_from_db()
    assert run.status == "failed"


def test_a_verification_waits_for_a_worker_that_is_busy_with_a_newer_kind(make, newer_run, now):
    Worker.objects.create(name="a", queues="gpu", started_at=now, last_seen_at=now)
    newer_run(status="running", worker="a", heartbeat_at=now)
    assert "answer" in verifier.what_is_it_waiting_for(make.verification(reward_model=make.reward_model()), now=now)
