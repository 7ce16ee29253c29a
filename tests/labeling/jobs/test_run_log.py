"""A run's log, its time left, and the device that it occupies."""

import logging
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from labeling.jobs import lifecycle
from labeling.jobs.run_log import LINES, RunLog, text_of
from prm_training.models import LossPoint, TrainingRun
from prm_training.work import training


def carry_out(run, work, worker="here"):
    lifecycle.carry_out(run.pk, work, worker=worker)
    run.refresh_from_db()
    return run


def test_stages_warnings_and_epochs(make, hearing):
    def work(run, report):
        report(stage="training", done=0, total=4)
        report(stage="training", done=2, total=4, say="epoch 1: step_auc 0.7")
        logging.getLogger("transformers").error("slow tokenizer")
        logging.getLogger("transformers.modeling_utils").warning("score.weight is new")

    run = carry_out(make.training_run(), work)
    said = [line.split(" ", 1)[1] for line in text_of(run).splitlines()]
    assert said[:3] == ["attempt 1 on here", "training", "epoch 1: step_auc 0.7"]
    assert said[3:] == ["ERROR slow tokenizer", "WARNING score.weight is new"]


@pytest.fixture
def hearing():
    """Resets the library's logging, which is global to the process."""
    training.hear_transformers()


def test_messages_of_a_library_that_does_not_propagate_are_logged(hearing):
    """Without CI in the environment, the library has its own handler and propagates nothing."""
    library, its_own = logging.getLogger("transformers"), training.transformers_logging
    its_own.disable_propagation()
    its_own.enable_default_handler()
    its_own.set_verbosity_error()
    training.hear_transformers()
    assert (library.propagate, library.handlers, library.level) == (True, [], logging.WARNING)


def test_terminal_escape_codes_are_left_out(make, hearing):
    run = carry_out(
        make.training_run(), lambda run, report: logging.getLogger("transformers").warning("\x1b[1mLOAD\x1b[0m")
    )
    assert text_of(run).endswith("WARNING LOAD")


def test_a_line_begins_with_its_time_and_zone(make):
    run = make.training_run()
    log = RunLog(run.pk)
    log.say("freezing the labels")
    log.write()
    at, said = text_of(run).split(" ", 1)
    assert said == "freezing the labels"
    assert abs(datetime.fromisoformat(at) - timezone.now()) < timedelta(minutes=1), (
        "a time without a zone can't be compared"
    )


def test_an_error_logs_its_traceback(make):
    def work(run, report):
        raise ValueError("no such base")

    run = make.training_run()
    with pytest.raises(ValueError, match="no such base"):
        carry_out(run, work)
    run.refresh_from_db()
    assert "Traceback" in text_of(run)
    assert text_of(run).endswith("ValueError: no such base")


def test_the_last_lines_are_kept(make):
    """Two workers write in turn."""
    run = make.training_run()
    for worker in ("a", "b"):
        log = RunLog(run.pk)
        for number in range(LINES - 1):
            log.say(f"{worker} {number}")
            if number % 100 == 0:
                log.write()
        log.write()
    log.write()
    lines = text_of(run).splitlines()
    assert len(lines) == LINES
    assert [line.split(" ", 1)[1] for line in (lines[0], lines[1], lines[-1])] == [
        f"a {LINES - 2}",
        "b 0",
        f"b {LINES - 2}",
    ]


def test_only_what_is_new_is_written(make):
    run = make.training_run(status="running", worker="here")
    report = lifecycle.reporter(run)
    points = [LossPoint(run=run, step=step, loss=0.5) for step in range(1, 101)]
    report(stage="training", rows=points)
    with CaptureQueriesContext(connection) as sent:
        report(stage="training", rows=[LossPoint(run=run, step=101, loss=0.4)])
    assert [query["sql"].split()[0] for query in sent if "SAVEPOINT" not in query["sql"]] == ["UPDATE", "INSERT"]
    assert sum(len(query["sql"]) for query in sent) < 1500
    assert run.loss_points.count() == 101


def test_time_left(now):
    later = now + timedelta(seconds=30)
    known = {"began": now, "first": 10, "now": later}
    assert lifecycle.expected_end(**known, done=20, total=40) == later + timedelta(seconds=60)
    assert lifecycle.expected_end(**known, done=10, total=40) is None
    assert lifecycle.expected_end(**known, done=40, total=40) is None


def test_one_training_on_a_device(make, now):
    first, second = make.training_run(), make.training_run()
    assert lifecycle.begin(first.pk, worker="a", now=now)
    assert lifecycle.begin(second.pk, worker="b", now=now) is None
    second.refresh_from_db()
    assert (second.status, second.attempts) == ("queued", 0)
    TrainingRun.objects.filter(pk=first.pk).update(status="done")
    assert lifecycle.begin(second.pk, worker="b", now=now)


def test_another_device_is_free(make, now, settings):
    lifecycle.begin(make.training_run().pk, worker="a", now=now)
    settings.DEVICE_SLOT = "elsewhere:0"
    assert lifecycle.begin(make.training_run().pk, worker="b", now=now)
