"""What a run tells on its way: a log of last lines, the time left, and whose device it holds."""

import logging
from datetime import timedelta

import pytest

from prm_training import lifecycle
from prm_training.models import TrainingRun
from prm_training.run_log import LINES, RunLog


def carry_out(run, work, worker="here"):
    lifecycle.carry_out("train", str(run.pk), work, worker=worker)
    run.refresh_from_db()
    return run


def test_stages_warnings_and_epochs(make):
    def work(run, report):
        report(stage="training", done=0, total=4)
        report(stage="training", done=2, total=4, say="epoch 1: step_auc 0.7")
        logging.getLogger("transformers").error("slow tokenizer")

    run = carry_out(make.training_run(), work)
    said = [line.split(" ", 2)[2] for line in run.log.splitlines()]
    assert said == ["attempt 1 on here", "training", "epoch 1: step_auc 0.7", "ERROR slow tokenizer"]


def test_an_error_leaves_its_traceback(make):
    def work(run, report):
        raise ValueError("no such base")

    run = make.training_run()
    with pytest.raises(ValueError, match="no such base"):
        carry_out(run, work)
    run.refresh_from_db()
    assert "Traceback" in run.log
    assert run.log.endswith("ValueError: no such base")


def test_the_last_lines_are_kept():
    log = RunLog("\n".join(map(str, range(LINES))))
    log.say("last")
    assert len(log.text.splitlines()) == LINES
    assert log.text.endswith("last")


def test_time_left(now):
    later = now + timedelta(seconds=30)
    known = {"began": now, "first": 10, "now": later}
    assert lifecycle.expected_end(**known, done=20, total=40) == later + timedelta(seconds=60)
    assert lifecycle.expected_end(**known, done=10, total=40) is None
    assert lifecycle.expected_end(**known, done=40, total=40) is None


def test_one_training_on_a_device(make, now):
    first, second = make.training_run(), make.training_run()
    assert lifecycle.begin(TrainingRun, first.pk, worker="a", now=now)
    assert lifecycle.begin(TrainingRun, second.pk, worker="b", now=now) is None
    second.refresh_from_db()
    assert (second.status, second.attempts) == ("queued", 0)
    TrainingRun.objects.filter(pk=first.pk).update(status="done")
    assert lifecycle.begin(TrainingRun, second.pk, worker="b", now=now)


def test_another_device_is_free(make, now, settings):
    lifecycle.begin(TrainingRun, make.training_run().pk, worker="a", now=now)
    settings.DEVICE_SLOT = "elsewhere:0"
    assert lifecycle.begin(TrainingRun, make.training_run().pk, worker="b", now=now)
