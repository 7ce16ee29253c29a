"""prm_training.worker.heartbeat: says that a worker is alive, and enqueues runs that nobody works on."""

import os
import subprocess
import threading
from datetime import timedelta

import pytest
from django.db import OperationalError

from labeling.jobs import lifecycle, queueing
from labeling.models import CompletionSet, Run, Worker
from labeling.models.jobs import kinds
from prm_training.models import Autopilot, Import, ScoringRun, TrainingRun
from prm_training.worker import heartbeat
from prm_training.worker.heartbeat import Heartbeat
from tests.running import libraries


@pytest.fixture(autouse=True)
def fifteen_seconds(settings):
    settings.WORKER_SILENT_SECONDS = 15


@pytest.fixture
def beating(db, now):
    beating = Heartbeat()
    Worker.objects.create(name=beating.worker, queues="cpu, gpu", started_at=now, last_seen_at=now)
    return beating


def test_a_heartbeat_says_that_the_worker_is_alive(beating, broker, now):
    beating.beat(now=now + timedelta(seconds=2))
    assert Worker.objects.get().last_seen_at == now + timedelta(seconds=2)


def test_the_workers_name_holds_its_own_gpu(monkeypatch):
    monkeypatch.setenv("STEPMARK_GPU", "1")
    assert Heartbeat().worker.rsplit("-", 3)[1:3] == ["gpu1", str(os.getpid())]


def test_a_heartbeat_renews_own_runs_only(beating, broker, make, now):
    mine = make.training_run(status="running", worker=beating.worker, heartbeat_at=now)
    other = make.scoring_run(status="running", worker="other", heartbeat_at=now)
    with lifecycle.taken_in_hand(mine.pk):
        beating.beat(now=now + timedelta(seconds=2))
    assert TrainingRun.objects.get(pk=mine.pk).heartbeat_at == now + timedelta(seconds=2)
    assert ScoringRun.objects.get().heartbeat_at == other.heartbeat_at


def test_a_run_that_its_live_worker_lost_is_queued_again(beating, broker, make, now):
    """Its worker lives, but an outage ended the work before the row could say so."""
    run = make.training_run(status="running", worker=beating.worker, heartbeat_at=now)
    for seconds in range(0, 18, 2):
        beating.beat(now=now + timedelta(seconds=seconds))
    run.refresh_from_db()
    assert (run.status, run.worker) == ("queued", "")


DYING = """
import django
django.setup()
import threading
from prm_training.worker import heartbeat
from prm_training.worker.heartbeat import Heartbeat
heartbeat.HUNG_AFTER_SECONDS = 0.5
heart = Heartbeat()
heart.beat = lambda *, now: {beat}
heart.start()
heart.join()
print("the worker lives on")
"""


@pytest.mark.parametrize(
    ("beat", "status"),
    [("exit()", 1), ("threading.Event().wait()", 1), ("heart.stop() or 1 / 0", 0)],
    ids=["one that dies", "one that hangs", "one that misses a beat"],
)
def test_a_worker_whose_heartbeat_died_exits(beat, status, tmp_path):
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "stepmark.settings", "STEPMARK_DATA_DIR": str(tmp_path)}
    environment.pop("DATABASE_URL", None)
    (tmp_path / "stepmark.sqlite3").touch()
    command = [*libraries.python("django"), "-c", DYING.format(beat=beat)]
    ended = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert (ended.returncode, b"lives on" in ended.stdout) == (status, status == 0), ended.stderr.decode()


def test_an_idle_heartbeat_reads_all_kinds_of_runs_in_one_query(beating, broker, now, django_assert_num_queries):
    beating.beat(now=now)  # the first one enqueues
    with django_assert_num_queries(4):  # the worker, its runs and others', full rounds, autopilots
        beating.beat(now=now)


def test_models_of_policy_comparisons_that_came_to_nothing_are_deleted(beating, broker, make, now, settings, tmp_path):
    settings.MODELS_ROOT = tmp_path
    runs = [make.policy_replay(status=status) for status in ("queued", "running", "cancelled", "failed")]
    for run in (*runs, model := make.reward_model()):
        (tmp_path / str(run.pk) / "uniform-0").mkdir(parents=True)
    beating.beat(now=now)
    assert {folder.name for folder in tmp_path.iterdir()} == {str(kept.pk) for kept in (*runs[:2], model)}


def test_an_abandoned_run_is_queued_and_enqueued_again(broker, make, now):
    run = make.training_run(status="running", worker="dead", heartbeat_at=now, attempts=1)
    assert heartbeat.enqueue_abandoned(heartbeat.unfinished(), now=now + timedelta(seconds=16)) == 1
    run.refresh_from_db()
    assert (run.status, run.worker, run.attempts) == ("queued", "", 1)
    assert broker() == [("prm_training.run", "train", str(run.pk))]


def test_a_run_that_is_worked_on_is_left_alone(broker, make, now):
    make.training_run(status="running", worker="alive", heartbeat_at=now)
    make.training_run(status="done", heartbeat_at=now)
    assert heartbeat.enqueue_abandoned(heartbeat.unfinished(), now=now + timedelta(seconds=15)) == 0
    assert broker() == []


def completion_set(make, **columns):
    plain = {"purpose": "step", "path": [], "path_hash": "", "generator_model": "m", "wanted": 4}
    return CompletionSet.objects.create(problem=make.problem(), **plain | columns)


def test_abandoned_runs_of_every_kind_are_enqueued(broker, make, now):
    named = {"status": "running", "worker": "dead", "heartbeat_at": now}
    makers = [
        make.training_run,
        make.evaluation_run,
        make.policy_replay,
        make.scoring_run,
        make.selection,
        make.publication,
    ]
    runs = [new(**named) for new in [*makers, make.generation, make.data_release]]
    runs.append(Import.objects.create(**named, file="x", name="x", file_format="solutions"))
    runs.append(completion_set(make, **named))
    runs.append(make.verification(**named, reward_model=make.reward_model()))
    assert (
        heartbeat.enqueue_abandoned(heartbeat.unfinished(), now=now + timedelta(minutes=1)) == len(runs) == len(kinds())
    )
    assert {run.kind for run in runs} == {*kinds()}
    assert sorted(broker()) == sorted(("prm_training.run", run.kind, str(run.pk)) for run in runs)


def test_waiting_runs_are_enqueued_again(broker, make, now):
    run = make.scoring_run()
    make.scoring_run(status="done")
    assert heartbeat.enqueue_waiting(heartbeat.unfinished()) == 1
    assert broker() == [("prm_training.run", "score", str(run.pk))]


def test_waiting_runs_are_enqueued_at_the_first_heartbeat_and_twice_a_minute(beating, broker, make, now):
    make.selection()
    rang = []
    for seconds in range(0, 62, 2):
        beating.beat(now=now + timedelta(seconds=seconds))
        rang += [seconds] * len(broker())
    assert rang == [0, 30, 60]


def test_messages_do_not_pile_up_while_all_workers_are_busy(broker, make):
    """Each worker looks after twenty waiting runs, again and again; then all messages are lost."""
    for _ in range(20):
        queueing.enqueue(make.scoring_run())
    found = heartbeat.unfinished()

    def messages_after_many_looks():
        for _ in range(10):
            heartbeat.enqueue_waiting(found)
        return len(broker())

    assert [messages_after_many_looks(), messages_after_many_looks()] == [20, 20]


def test_after_an_outage_other_workers_have_time_for_a_heartbeat(beating, broker, make, now, caplog):
    run = make.training_run(status="running", worker="other", heartbeat_at=now)
    caplog.set_level("WARNING")
    for _ in range(3):
        beating._missed(OperationalError("connection refused"))
    assert [record.getMessage() for record in caplog.records] == ["The heartbeat waits: connection refused"]
    beating.beat(now=now + timedelta(minutes=5))
    assert Run.objects.get().status == "running"
    beating.beat(now=now + timedelta(minutes=5, seconds=15))
    run.refresh_from_db()
    assert run.status == "queued"


def test_abandoned_runs_are_enqueued_at_every_heartbeat(beating, broker, make, now):
    beating.beat(now=now)
    make.training_run(status="running", worker="dead", heartbeat_at=now - timedelta(seconds=14))
    beating.beat(now=now)
    assert broker() == []
    beating.beat(now=now + timedelta(seconds=2))
    assert len(broker()) == 1


def test_without_a_broker_nothing_is_lost(dead_broker, make, now):
    run = make.training_run(status="running", worker="dead", heartbeat_at=now)
    assert heartbeat.enqueue_abandoned(heartbeat.unfinished(), now=now + timedelta(minutes=1)) == 1
    run.refresh_from_db()
    assert run.status == "queued"
    assert lifecycle.begin(run.pk, worker="b", now=now)


@pytest.mark.django_db(transaction=True)
def test_the_thread_adds_and_deletes_its_workers_row(transactional_db, settings, broker):
    settings.WORKER_HEARTBEAT_SECONDS = 0.01
    beating = Heartbeat()
    seen = []

    beat = beating.beat

    def look(*, now):
        beat(now=now)
        seen.append(Worker.objects.get().name)
        if len(seen) == 1:
            raise RuntimeError("nobody foresaw this")
        beating.stop()

    beating.beat = look
    beating.start()
    beating.join(timeout=60)
    finish(beating)
    assert seen == [beating.worker] * 2
    assert not Worker.objects.exists()


def test_workers_that_are_long_gone_are_forgotten(db, broker, now):
    Worker.objects.create(name="old", queues="cpu", started_at=now, last_seen_at=now - timedelta(days=400))
    beating = Heartbeat()
    beating.beat(now=now)
    assert Worker.objects.get().name == beating.worker


def test_an_act_that_fails_does_not_keep_rounds_open(beating, broker, now, monkeypatch):
    def fail(*, now):
        raise RuntimeError("nobody foresaw this")

    closed = []
    monkeypatch.setattr(heartbeat.recounts, "request_recount", fail)
    monkeypatch.setattr(heartbeat.rounds, "close_full", lambda *, now: closed.append(now))
    with pytest.raises(RuntimeError):
        beating.beat(now=now)
    beating.beat(now=now)
    assert closed == [now]


def finish(beating):
    """Waits until the heartbeat's threads have ended."""
    for thread in beating.aside.values():
        thread.join(timeout=60)
        assert not thread.is_alive()


@pytest.fixture
def forget(monkeypatch):
    """Returns a function that replaces `forget_old`."""
    monkeypatch.setattr(heartbeat.notices, "send_due", lambda *, now: None)
    return lambda act: monkeypatch.setattr(heartbeat.retention, "forget_old", act)


def test_notices_are_sent_once_they_are_due(beating, make, phase, now, monkeypatch):
    sent = []
    monkeypatch.setattr(heartbeat.retention, "forget_old", lambda *, now: None)
    monkeypatch.setattr(heartbeat.notices, "send_due", lambda *, now: sent.append(now))
    pilot = Autopilot.objects.create(phase=phase, webhook_url="http://127.0.0.1:9/")
    heartbeat.notices.announce(pilot, "stopped", now=now + timedelta(seconds=2))
    for seconds in (0, 1, 2):
        beating.act_aside(now=now + timedelta(seconds=seconds))
        finish(beating)
    assert sent == [now + timedelta(seconds=2)]


def test_old_personal_data_is_forgotten_once_a_day(beating, now, forget):
    forgotten = []
    forget(lambda *, now: forgotten.append(now))
    for hours in (0, 23, 24):
        beating.act_aside(now=now + timedelta(hours=hours))
        finish(beating)
    assert forgotten == [now, now + timedelta(hours=24)]


def test_forgetting_is_retried_after_a_failure(beating, now, forget):
    def fail(*, now):
        raise OperationalError("database is locked")

    forgotten = []
    for act in (fail, lambda *, now: forgotten.append(now)):
        forget(act)
        beating.act_aside(now=now)
        finish(beating)
    assert forgotten == [now]


def test_slow_forgetting_delays_no_heartbeat(beating, now, forget):
    is_over, begun = threading.Event(), []

    def forget_slowly(*, now):
        begun.append(now)
        assert is_over.wait(timeout=60)

    forget(forget_slowly)
    try:
        for _ in range(2):
            beating.act_aside(now=now)
    finally:
        is_over.set()
        finish(beating)
    assert begun == [now]
