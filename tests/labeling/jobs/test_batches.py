"""labeling.jobs.batches: any number of workers share a run's batches, each done once."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import DatabaseError
from django.utils import timezone

from labeling.jobs import batches, lifecycle, queueing
from labeling.jobs.batches import BatchResult
from labeling.jobs.run_log import text_of
from labeling.models import Worker
from prm_training.models import Score

SHARES = [(10, {"part": "a"}), (10, {"part": "b"}), (5, {"part": "c"})]


@pytest.fixture(autouse=True)
def fifteen_seconds(settings):
    settings.WORKER_SILENT_SECONDS = 15


@pytest.fixture
def run(make):
    """A run taken by worker `a`, and cut into batches."""
    run = lifecycle.begin(make.scoring_run().pk, worker="a", now=timezone.now())
    batches.cut(run, SHARES)
    return run


def taken(run, worker, now=None):
    return batches.take(run, worker=worker, now=now or timezone.now())


def says(batch):
    return BatchResult({"said": batch.work["part"]})


def help_out(run, work=says, worker="b", between=lambda: None):
    batches.help_out(run.pk, lambda run: work, worker=worker, between=between)


def states(run):
    return list(run.batches.order_by("number").values_list("status", "worker"))


def test_it_works(run):
    reported = []
    batches.share(run, lambda **told: reported.append(told), says, stage="scoring")
    assert [told["done"] for told in reported] == [0, 10, 20]
    assert {told["total"] for told in reported} == {25}
    assert states(run) == [("done", "a")] * 3
    assert [result["said"] for result in run.batches.order_by("number").values_list("result", flat=True)] == [*"abc"]


def test_each_batch_is_taken_by_one_worker(run):
    assert [taken(run, worker).work["part"] for worker in "abc"] == [*"abc"]
    assert taken(run, "d") is None


@pytest.mark.django_db(transaction=True)
def test_simultaneous_workers_take_different_batches(run, at_once):
    batches.cut(run, [(1, {"part": number}) for number in range(12)])
    parts = [batch.work["part"] for batch in at_once(lambda worker: taken(run, worker), "abcdefgh")]
    assert len(set(parts)) == 8


def test_a_silent_workers_batch_is_taken_again(run, now):
    first = taken(run, "b", now)
    Worker.objects.create(name="b", queues="gpu", started_at=now, last_seen_at=now)
    assert taken(run, "c", now + timedelta(seconds=15)).pk != first.pk
    again = taken(run, "d", now + timedelta(seconds=16))
    assert (again.pk, again.worker, again.attempts) == (first.pk, "d", 2)


def test_a_batch_of_a_live_worker_is_not_taken_over(run, now):
    first, later = taken(run, "b", now), now + timedelta(minutes=9)
    Worker.objects.create(name="b", queues="gpu", started_at=now, last_seen_at=later)
    assert first.pk not in {taken(run, worker, later).pk for worker in "cd"}
    assert taken(run, "e", later) is None


def test_a_worker_has_one_at_a_time(run):
    """A worker gets its own unfinished batch again, which others can't take while it is alive."""
    assert taken(run, "b").pk == taken(run, "b").pk


def test_a_worker_that_lost_a_batch_stores_nothing(run, make, now):
    model, solution = run.reward_model, make.solution()
    score = Score(reward_model=model, solution=solution, log_score=-1.0, step_log_probabilities=[-1.0])
    lost = taken(run, "b", now)
    again = taken(run, "c", now + timedelta(seconds=16))
    batches.finish(lost, BatchResult({"by": "b"}, [score]))
    assert (Score.objects.count(), states(run)[0]) == (0, ("running", "c"))
    batches.finish(again, BatchResult({"by": "c"}, [score]))
    batches.finish(lost, BatchResult({"by": "b"}, [score]))
    assert (Score.objects.count(), run.batches.get(number=0).result) == (1, {"by": "c"})


def test_a_helper_works_until_nothing_is_left(run):
    between = []
    help_out(run, between=lambda: between.append(True))
    assert states(run) == [("done", "b")] * 3
    assert len(between) == 3
    assert "3 batches by b" in text_of(run)


def test_a_helper_that_finds_nothing_left_does_nothing(run, make):
    help_out(run)
    for left in (run, make.scoring_run()):
        help_out(left, work=None)
    batches.help_out(uuid4(), lambda run: None, worker="b", between=lambda: None)
    assert text_of(run).count("batches") == 1


def test_a_helper_leaves_when_something_else_waits(run, make):
    help_out(run, between=make.selection)
    assert states(run) == [("done", "b"), ("queued", ""), ("queued", "")]
    help_out(run)
    assert states(run)[1] == ("queued", "")


def test_a_helper_does_not_leave_for_a_run_that_waits_for_disk_space(run, make):
    make.selection(next_try_at=timezone.now() + timedelta(minutes=1))
    help_out(run)
    assert states(run) == [("done", "b")] * 3


def test_a_helper_does_not_leave_for_a_run_that_it_could_not_begin(run, make, settings):
    """A training waits for the one on this device; a selection is for workers of another queue."""
    make.training_run()
    make.training_run(status="running", device_slot=settings.DEVICE_SLOT)
    settings.WORKER_QUEUES = "gpu"
    make.selection()
    help_out(run)
    assert states(run) == [("done", "b")] * 3


def test_cancelling_stops_helpers_too(run):
    help_out(run, between=lambda: lifecycle.cancel(run, now=timezone.now()))
    assert states(run) == [("done", "b"), ("queued", ""), ("queued", "")]
    with pytest.raises(lifecycle.Cancelled):
        batches.share(run, lifecycle.reporter(run), says, stage="scoring")


def failing(batch):
    raise ValueError("no memory")


def test_an_error_in_a_helper_leaves_the_run_to_the_others(run):
    help_out(run, work=failing)
    assert states(run) == [("queued", "")] * 3
    run.refresh_from_db()
    assert (run.status, run.error) == ("running", "")
    assert "b could not help, and leaves the run to others: no memory" in text_of(run)
    help_out(run, worker="c", between=lambda: help_out(run, work=failing, worker="d"))
    assert states(run) == [("done", "c")] * 3


def test_a_failed_helper_does_not_help_again_in_this_run(run, make):
    help_out(run, work=failing)
    help_out(run)
    assert states(run) == [("queued", "")] * 3
    other = lifecycle.begin(make.scoring_run().pk, worker="a", now=timezone.now())
    batches.cut(other, SHARES)
    help_out(other)
    assert states(other) == [("done", "b")] * 3


def test_a_helper_whose_database_was_away_helps_again(run, monkeypatch):
    """A helper that gave up would keep its batch until it exits."""

    def away(*_):
        raise DatabaseError("away")

    with monkeypatch.context() as patch, pytest.raises(DatabaseError, match="away"):
        patch.setattr(batches, "finish", away)
        patch.setattr(batches, "give_back", away)
        help_out(run)
    assert states(run)[0] == ("running", "b")
    help_out(run)
    assert states(run) == [("done", "b")] * 3


def test_an_error_in_the_runs_own_worker_fails_the_run(run):
    with pytest.raises(ValueError, match="no memory"), lifecycle.working(run, "attempt 1") as report:
        batches.share(run, report, failing, stage="scoring")
    run.refresh_from_db()
    assert (run.status, run.error) == ("failed", "no memory")
    assert "Traceback" in text_of(run)
    help_out(run)
    assert states(run) == [("queued", "")] * 3


def test_retrying_deletes_the_batches(run):
    lifecycle.end(run, "failed")
    assert lifecycle.retry(run)
    assert not run.batches.exists()


def test_a_running_run_keeps_its_batches(run):
    assert not lifecycle.retry(run)
    assert run.batches.count() == 3


def test_a_batch_that_kills_its_workers_fails_the_run(run):
    run.batches.filter(number=0).update(attempts=lifecycle.MAX_ATTEMPTS)
    with pytest.raises(batches.DiedTooOften):
        batches.share(run, lambda **_: None, says, stage="scoring")


def test_a_batch_that_kills_helpers_is_left_to_the_runs_own_worker(run):
    """A helper on too small a machine is killed by the system without a message."""
    run.batches.filter(number=0).update(attempts=batches.HELPERS_MAY_DIE)
    help_out(run)
    assert states(run) == [("queued", ""), ("done", "b"), ("done", "b")]
    batches.share(run, lambda **_: None, says, stage="scoring")
    assert states(run)[0] == ("done", "a")


def test_a_stopped_worker_gives_its_batch_back_as_if_it_had_not_tried(run):
    def interrupted(batch):
        raise lifecycle.Interrupted

    with pytest.raises(lifecycle.Interrupted):
        batches.share(run, lambda **_: None, interrupted, stage="scoring")
    assert (states(run)[0], run.batches.get(number=0).attempts) == (("queued", ""), 0)


def workers(now, *names, queues="cpu, gpu"):
    for name in names:
        Worker.objects.create(name=name, queues=queues, started_at=now, last_seen_at=now)


@pytest.mark.parametrize(("there", "asked"), [("a", 0), ("ab", 1), ("abcde", 2)])
def test_as_many_workers_are_asked_for_help_as_can_help(run, broker, there, asked):
    now = timezone.now()
    workers(now, *there)
    workers(now - timedelta(minutes=1), "dead")
    workers(now, "elsewhere", queues="cpu")
    batches.ask_for_help(run, worker="a")
    assert broker() == [("prm_training.help", "score", str(run.pk))] * asked


def test_calls_for_help_expire_at_the_broker(run, broker, monkeypatch):
    sent = []
    monkeypatch.setattr(queueing, "_send", lambda *_, expires: sent.append(expires))
    workers(timezone.now(), "b")
    batches.ask_for_help(run, worker="a")
    assert sent == [30]


def test_taking_and_finishing_a_batch_costs_the_same_however_many_there_are(run, django_assert_num_queries):
    batches.cut(run, [(1, {"part": str(number)}) for number in range(300)])
    help_out(run, between=lifecycle.shutting_down.set)
    lifecycle.shutting_down.clear()
    with django_assert_num_queries(7):  # savepoint, lock, take, release; savepoint, finish, release
        assert batches._do_one(run, says, worker="b")
