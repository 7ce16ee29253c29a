"""Stands in for annotators and workers in tests of the autopilot."""

from django.utils import timezone

from labeling.models import Assignment, Labelling, Run, Solution
from prm_training.models import Autopilot, Publication, Selection
from prm_training.selection import picking
from prm_training.selection import publication as job

ENOUGH = {"steps": 800, "steps_negative": 90}


def queued():
    """Returns the only queued run."""
    run = Run.objects.get(status="queued").details
    assert (run.phase, run.is_automatic) == (Autopilot.objects.get().phase, True)
    return run


def finish(run, **columns):
    type(run).objects.filter(pk=run.pk).update(status="done", finished_at=timezone.now(), **columns)


def fail(run, **columns):
    type(run).objects.filter(pk=run.pk).update(**{"status": "failed", "finished_at": timezone.now()} | columns)


def picks(number, **more):
    return {"summary": {"picked": number, "candidates": number, "wrong": number, "set_aside": 0, **more}}


def label_everything(make, round_):
    for seat in Assignment.objects.filter(round=round_, task__is_gold=False).select_related("task"):
        make.labelling(seat.task, 1, 1, 1, assignment=seat)
    round_.assignments.update(submitted_at=timezone.now())


def metrics(value, **more):
    """Returns metrics on enough labels for a promotion decision."""
    return {"held_out": {"step_auc": value, "f1": value} | ENOUGH, "problems": 60} | more


def train(make, snapshot):
    """Ends the queued training as a worker would. Returns its reward model."""
    run = queued()
    snapshot.labellings.set(Labelling.objects.all())
    finish(run, snapshot=snapshot)
    return make.reward_model(training_run=run, name="new")


def to_the_promotion(make, open_round, snapshot, advance, *, new=0.9, old=0.8):
    """Advances from the last label to just before the promotion. Returns the new model."""
    label_everything(make, open_round)
    assert advance() == 1  # closes
    assert advance() == 1  # trains
    model = train(make, snapshot)
    assert advance() == 1  # evaluates
    finish(queued(), metrics=metrics(new), baseline_metrics=metrics(old))
    return model


def score_all(make, model):
    for number, solution in enumerate(Solution.objects.exclude(scores__reward_model=model)):
        make.score(model, solution, -1.0 - number)


def pick(run):
    run.status = "running"
    picking.select(run, lambda **columns: Selection.objects.filter(pk=run.pk).update(**columns))
    finish(run)


def publish(run):
    job.publish(run, lambda **columns: Publication.objects.filter(pk=run.pk).update(**columns))
    finish(run)
