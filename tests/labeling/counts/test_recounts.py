"""labeling.counts.recounts: recounts and corrects stored counts, a round at a time."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from labeling.counts import recounts, rollups
from labeling.jobs import queueing
from labeling.models import Rollup, Round, Tally
from prm_training.worker import rollup_kinds
from prm_training.worker.heartbeat import Heartbeat

DAY = timedelta(days=1)


@pytest.fixture
def ring(broker, django_capture_on_commit_callbacks):
    """Requests a recount. Returns the messages enqueued."""

    def act(now):
        with django_capture_on_commit_callbacks(execute=True):
            recounts.request_recount(now=now)
        return broker()

    return act


def count(round_, now):
    rollups.count_subject(recounts.RECOUNT, round_.pk, now=now)


def test_the_command_corrects_wrong_counts(open_round, labelling, capsys):
    Tally.objects.update(done=7, on_day=9, active_ms=1, last_at=None)
    Round.objects.update(task_count=1, seat_count=1)
    call_command("recount")
    assert "2" in capsys.readouterr().out
    open_round.refresh_from_db()
    assert (open_round.task_count, open_round.seat_count) == (3, 3)
    kept = open_round.tallies.values_list("done", "on_day", "active_ms", "last_at")
    assert kept.get() == (1, 1, 90_000, labelling.submitted_at)
    call_command("recount")
    assert "right" in capsys.readouterr().out


@pytest.mark.every_case
@pytest.mark.parametrize(
    "wrong",
    [
        {"done": 2},
        {"on_gold": 1},
        {"on_day": 0},
        {"active_ms": 1},
        {"last_at": None},
        {"day": "2026-03-01"},
        {"day": "2026-03-01", "on_day": 0},
    ],
)
def test_every_wrong_count_is_corrected(open_round, labelling, wrong):
    before = Tally.objects.values().get()
    Tally.objects.update(**wrong)
    assert recounts.mend(open_round.pk) == 1
    assert Tally.objects.values().get() == before


def test_a_missing_tally_is_created_and_a_stray_one_zeroed(open_round, labelling, second_annotator):
    Tally.objects.update(annotator=second_annotator)
    assert recounts.mend(open_round.pk) == 2
    assert dict(open_round.tallies.values_list("annotator__username", "done")) == {"ada": 1, "ben": 0}


def test_checking_right_counts_takes_the_same_few_queries_for_any_number_of_people(
    make, open_round, labelling, django_assert_num_queries
):
    for _ in range(5):
        make.labelling(open_round.tasks.first(), 1, annotator=make.user())
    with django_assert_num_queries(5):  # stored counts, tasks, seats; tallies, and labellings
        assert recounts.mend(open_round.pk) == 0


def test_checking_right_counts_locks_nothing(open_round, labelling):
    with CaptureQueriesContext(
        connection,
    ) as asked:
        recounts.mend(open_round.pk)
    assert all(query["sql"].startswith("SELECT") and "FOR UPDATE" not in query["sql"] for query in asked)


def test_a_deleted_round_needs_no_correction(phase):
    assert recounts.mend(phase.pk) == 0


def test_each_round_is_counted_once_a_day(make, ring, now):
    first, second = sorted([make.task().round, make.task().round], key=lambda round_: round_.pk)
    assert ring(now) == [(rollups.TASK, str(first.pk), "recount")]
    count(first, now)
    assert ring(now) == [(rollups.TASK, str(second.pk), "recount")]
    count(second, now)
    assert ring(now + DAY - timedelta(seconds=1)) == []
    assert ring(now + DAY) == [(rollups.TASK, str(first.pk), "recount")]


def test_one_round_is_requested_at_a_time_and_again_if_the_message_is_lost(make, ring, now):
    first, _ = sorted([make.task().round, make.task().round], key=lambda round_: round_.pk)
    assert len(ring(now)) == 1
    assert ring(now + rollups.LOST_AFTER) == []
    later = now + rollups.LOST_AFTER + timedelta(seconds=1)
    assert ring(later) == [(rollups.TASK, str(first.pk), "recount")]


def test_a_worker_corrects_counts_and_logs_a_warning(open_round, labelling, caplog):
    caplog.set_level("WARNING")
    rollup_kinds.count_named("recount", open_round.pk)
    assert not caplog.records
    Tally.objects.update(done=7)
    rollups.request_count(recounts.RECOUNT, open_round.pk, labelling.submitted_at)
    rollup_kinds.count_named("recount", open_round.pk)
    assert Tally.objects.get().done == 1
    (said,) = caplog.records
    assert (said.levelname, str(open_round.pk) in said.getMessage()) == ("WARNING", True)
    assert Rollup.objects.get().value == 1


@pytest.mark.any_database
def test_an_idle_worker_requests_recounts(make, broker, now, django_capture_on_commit_callbacks):
    round_ = make.task().round
    beating = Heartbeat()
    with django_capture_on_commit_callbacks(execute=True):
        for _ in range(queueing.EVERY_BEATS):
            beating.beat(now=now)
    assert broker() == [(rollups.TASK, str(round_.pk), "recount")]
