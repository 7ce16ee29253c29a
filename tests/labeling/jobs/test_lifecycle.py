"""labeling.jobs.lifecycle: taking a run, its reports, its end."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import OperationalError
from django.utils import timezone

from labeling.jobs import lifecycle, run_log
from prm_training.models import LossPoint, TrainingRun


@pytest.fixture(autouse=True)
def fifteen_seconds(settings):
    settings.WORKER_SILENT_SECONDS = 15


@pytest.fixture
def run(make):
    return make.training_run()


@pytest.fixture
def taken(run):
    """A run taken by worker `a`."""
    return lifecycle.begin(run.pk, worker="a", now=timezone.now())


@pytest.fixture
def shutting_down():
    lifecycle.shutting_down.set()
    yield
    lifecycle.shutting_down.clear()


def now_of(run):
    run.refresh_from_db()
    return run


def test_it_works(run, now):
    taken = lifecycle.begin(run.pk, worker="a", now=now)
    assert (taken.status, taken.worker, taken.attempts) == ("running", "a", 1)
    assert taken.started_at == taken.heartbeat_at == now


def test_a_run_of_another_worker_is_not_taken(run, now):
    lifecycle.begin(run.pk, worker="a", now=now)
    later = now + timedelta(seconds=15)
    assert lifecycle.begin(run.pk, worker="b", now=later) is None
    assert now_of(run).worker == "a"


def test_a_silent_workers_run_is_taken_over(run, now):
    lifecycle.begin(run.pk, worker="a", now=now)
    taken = lifecycle.begin(run.pk, worker="b", now=now + timedelta(seconds=16))
    assert (taken.worker, taken.attempts) == ("b", 2)


def test_a_new_attempt_starts_without_the_last_one_s_estimate(run, now):
    TrainingRun.objects.filter(pk=run.pk).update(expected_at=now)
    assert lifecycle.begin(run.pk, worker="one", now=now).expected_at is None


def test_the_clock_counts_every_attempt_and_no_pause_between(run, now):
    """A worker works for ten seconds and falls silent; the next one works for twenty."""
    lifecycle.begin(run.pk, worker="a", now=now)
    TrainingRun.objects.update(heartbeat_at=now + timedelta(seconds=10))
    assert now_of(run).elapsed == timedelta(seconds=10)
    later = now + timedelta(hours=1)
    assert lifecycle.begin(run.pk, worker="b", now=later).elapsed == timedelta(seconds=10)
    TrainingRun.objects.update(heartbeat_at=later + timedelta(seconds=20))
    assert now_of(run).elapsed == timedelta(seconds=30)


def test_the_clock_goes_on_after_a_retry(run):
    def fail(taken, report):
        TrainingRun.objects.update(started_at=timezone.now() - timedelta(minutes=5))
        raise ValueError("no space")

    with pytest.raises(ValueError, match="no space"):
        carry_out(run, fail)
    lifecycle.retry(run)
    carry_out(run, lambda taken, report: None)
    assert timedelta(minutes=5) <= now_of(run).elapsed < timedelta(minutes=6)


def test_a_run_given_back_keeps_its_elapsed_time(run, shutting_down):
    assert run.elapsed == timedelta(0)

    def work(taken, report):
        # One second extra: SQLite's clock only has milliseconds, and may lag behind this one.
        TrainingRun.objects.update(started_at=timezone.now() - timedelta(minutes=5, seconds=1))
        report(stage="training")

    carry_out(run, work)
    assert (run.status, run.elapsed >= timedelta(minutes=5)) == ("queued", True)


def test_a_run_records_the_code_it_runs(run, now):
    resolved = lifecycle.begin(run.pk, worker="a", now=now).resolved
    assert {"stepmark", "python"} <= resolved.keys() <= {"stepmark", "python", "commit"}


@pytest.mark.parametrize("status", ["done", "failed", "cancelled"])
def test_a_finished_run_is_not_taken(make, now, status):
    run = make.training_run(status=status)
    assert lifecycle.begin(run.pk, worker="a", now=now) is None
    assert now_of(run).status == status


def test_an_unknown_run_is_not_taken(phase, now):
    assert lifecycle.begin(phase.pk, worker="a", now=now) is None


def test_a_run_that_kills_its_workers_is_given_up(run, now):
    for attempt in range(lifecycle.MAX_ATTEMPTS):
        day = now + timedelta(days=attempt)
        assert lifecycle.begin(run.pk, worker=f"{attempt}", now=day).attempts == attempt + 1
    assert lifecycle.begin(run.pk, worker="last", now=now + timedelta(days=9)) is None
    assert (now_of(run).status, run.attempts) == ("failed", lifecycle.MAX_ATTEMPTS)
    assert f"died {lifecycle.MAX_ATTEMPTS} times" in run.error
    assert run.finished_at == now + timedelta(days=9)


@pytest.mark.django_db(transaction=True)
def test_one_of_many_workers_takes_it(transactional_db, make, at_once, crowd, now):
    run = make.training_run()
    took = at_once(lambda worker: lifecycle.begin(run.pk, worker=f"{worker}", now=now), range(crowd))
    (winner,) = [taken for taken in took if taken is not None]
    assert (now_of(run).worker, run.attempts) == (winner.worker, 1)


def test_a_report_is_on_the_row(taken):
    losses = [LossPoint(run=taken, step=1, loss=0.5)]
    lifecycle.reporter(taken)(stage="training", done=3, total=9, rows=losses)
    assert (now_of(taken).stage, taken.done, taken.total) == ("training", 3, 9)
    assert (taken.loss_points.get().step, taken.loss_points.get().loss) == (1, 0.5)


def test_a_report_is_a_heartbeat(taken, now):
    TrainingRun.objects.update(heartbeat_at=now)
    lifecycle.reporter(taken)(stage="training")
    assert now_of(taken).heartbeat_at > now


def test_a_worker_that_lost_the_run_stops_and_writes_nothing(taken):
    TrainingRun.objects.update(worker="b")
    with pytest.raises(lifecycle.Interrupted):
        lifecycle.reporter(taken)(stage="training", done=5)
    assert (now_of(taken).stage, taken.done) == ("", 0)


def test_a_worker_that_shuts_down_stops(taken, shutting_down):
    with pytest.raises(lifecycle.Interrupted):
        lifecycle.reporter(taken)(stage="training")


def test_a_cancelled_run_stops_at_its_next_report(taken, now):
    lifecycle.cancel(taken, now=timezone.now())
    assert now_of(taken).status == "running"
    with pytest.raises(lifecycle.Cancelled):
        lifecycle.reporter(taken)(stage="training")


def test_cancelling_a_queued_run_ends_it(run, now):
    lifecycle.cancel(run, now=now)
    assert (now_of(run).status, run.finished_at, run.cancel_requested_at) == ("cancelled", now, now)
    assert lifecycle.begin(run.pk, worker="a", now=now) is None


def test_cancelling_a_dead_workers_run_ends_it(run, now):
    lifecycle.begin(run.pk, worker="a", now=now)
    later = now + timedelta(minutes=5)
    lifecycle.cancel(run, now=later)
    assert (now_of(run).status, run.finished_at) == ("cancelled", later)


@pytest.mark.parametrize("status", ["done", "failed", "cancelled"])
def test_cancelling_a_finished_run_changes_nothing(make, now, status):
    run = make.training_run(status=status)
    lifecycle.cancel(run, now=now)
    assert (now_of(run).status, run.cancel_requested_at) == (status, None)


@pytest.mark.parametrize("status", ["failed", "cancelled"])
def test_retrying_starts_afresh(make, now, status):
    run = make.training_run(status=status, attempts=5, error="x", worker="a", cancel_requested_at=now, finished_at=now)
    assert lifecycle.retry(run)
    assert (now_of(run).status, run.attempts, run.error, run.worker) == ("queued", 0, "", "")
    assert (run.cancel_requested_at, run.finished_at) == (None, None)
    assert lifecycle.begin(run.pk, worker="b", now=now)
    lifecycle.reporter(TrainingRun.objects.get())(stage="training")


@pytest.mark.parametrize("status", ["queued", "running", "done"])
def test_only_failed_runs_are_retried(make, status):
    run = make.training_run(status=status)
    assert not lifecycle.retry(run)
    assert now_of(run).status == status


# carry_out: from the message to the end


def carry_out(run, work, worker="a"):
    lifecycle.carry_out(run.pk, work, worker=worker)
    return now_of(run)


def test_work_that_ends_is_done(run):
    def work(taken, report):
        assert taken.pk == run.pk
        report(stage="training", done=1, total=1)

    carry_out(run, work)
    assert (run.status, run.done, run.error) == ("done", 1, "")
    assert run.finished_at >= run.started_at


def test_work_that_breaks_is_failed_with_its_reason_and_raised(run):
    def work(taken, report):
        raise ValueError("The base has no tokenizer.")

    with pytest.raises(ValueError, match="no tokenizer"):
        carry_out(run, work)
    assert (now_of(run).status, run.error) == ("failed", "The base has no tokenizer.")
    assert run.finished_at is not None


def test_a_reason_without_words_is_its_name(run):
    def work(taken, report):
        raise MemoryError

    with pytest.raises(MemoryError):
        carry_out(run, work)
    assert now_of(run).error == "MemoryError"


def test_cancelled_work_is_cancelled(run):
    def work(taken, report):
        lifecycle.cancel(run, now=timezone.now())
        report(stage="training")

    assert carry_out(run, work).status == "cancelled"


def test_interrupted_work_goes_back_as_if_it_had_not_begun(run):
    def work(taken, report):
        lifecycle.shutting_down.set()
        try:
            report(stage="training")
        finally:
            lifecycle.shutting_down.clear()

    carry_out(run, work)
    assert (run.status, run.worker, run.attempts) == ("queued", "", 0)


def test_a_worker_that_lost_the_run_leaves_it_to_the_other(run):
    def work(taken, report):
        TrainingRun.objects.update(worker="b")
        report(stage="training")

    carry_out(run, work)
    assert (run.status, run.worker, run.attempts) == ("running", "b", 1)


def test_a_worker_that_lost_the_run_does_not_end_it(run):
    def work(taken, report):
        TrainingRun.objects.update(worker="b")

    carry_out(run, work)
    assert (run.status, run.worker, run.finished_at) == ("running", "b", None)


def test_a_repeated_message_does_nothing(run):
    rings = []
    for _ in range(2):
        carry_out(run, lambda taken, report: rings.append(taken.pk))
    assert rings == [run.pk]


def test_a_run_that_meets_an_outage_goes_back_to_the_queue(run, monkeypatch):
    """The database comes back while its worker waits for it."""
    refusals = iter([OperationalError("connection refused")] * 2)
    hold, writes = lifecycle.held, []

    def held(run):
        writes.append(run)
        if error := next(refusals, None):
            raise error
        return hold(run)

    def work(taken, report):
        monkeypatch.setattr(lifecycle, "held", held)
        raise OperationalError("the connection is closed")

    monkeypatch.setattr(lifecycle, "LOOK_AGAIN_SECONDS", 0)
    carry_out(run, work)
    assert (now_of(run).status, run.worker, run.error, len(writes)) == ("queued", "", "", 3)
    assert "queued again: the connection is closed" in run_log.text_of(run)
    assert lifecycle.in_hand() == ()


def test_a_run_that_always_meets_an_outage_fails_in_the_end(run):
    def work(taken, report):
        raise OperationalError("the connection is closed")

    for _ in range(lifecycle.MAX_ATTEMPTS + 1):
        carry_out(run, work)
    assert (now_of(run).status, run.attempts) == ("failed", lifecycle.MAX_ATTEMPTS)
    assert "lost the database" in run.error


def write_to_a_full_disk(taken, report):
    with Path("/dev/full").open("w") as file:
        file.write("model")


def test_a_run_that_finds_the_disk_full_waits_for_room(run, monkeypatch):
    """Waits grow to ten minutes, no attempt counts, and the error says why; the run ends once there is room."""
    later, pauses = timezone.now(), []
    monkeypatch.setattr(lifecycle.clock, "now", lambda: later)
    for _ in range(2 * lifecycle.MAX_ATTEMPTS):
        carry_out(run, write_to_a_full_disk)
        assert (run.status, run.worker, run.attempts) == ("queued", "", 0)
        assert run.error.startswith("The server's disk is full")
        assert run.error.endswith("It is tried again until there is room.")
        pauses.append(round((run.next_try_at - timezone.now()).total_seconds()))
        assert lifecycle.begin(run.pk, worker="b", now=later) is None
        later = run.next_try_at
    assert pauses == [5, 10, 20, 40, 80, 160, 320, 600, 600, 600]
    assert "queued again: [Errno 28] No space left on device" in run_log.text_of(run)
    carry_out(run, lambda taken, report: None)
    assert (run.status, run.error, run.attempts, run.next_try_at) == ("done", "", 1, None)


def test_a_run_that_finds_the_disk_full_is_requeued_even_without_the_clock(run, monkeypatch):
    """The clock is the database's, which may be on the same disk."""

    def fails(*_):
        raise OperationalError

    def work(taken, report):
        monkeypatch.setattr(lifecycle.clock, "now", fails)
        write_to_a_full_disk(taken, report)

    carry_out(run, work)
    assert (run.status, run.attempts) == ("queued", 0)
    assert run.next_try_at > timezone.now()


def test_a_run_that_waits_for_room_can_be_cancelled(run):
    carry_out(run, write_to_a_full_disk)
    lifecycle.cancel(run, now=timezone.now())
    assert now_of(run).status == "cancelled"
    lifecycle.retry(run)
    assert lifecycle.begin(run.pk, worker="b", now=timezone.now()).attempts == 1
