"""prm_training.loop.next_act: where a phase stands, and what is due next. No row is written, none is read."""

from datetime import UTC, datetime, timedelta

import pytest

from labeling.models import Round
from prm_training.loop import next_act
from prm_training.loop.next_act import Act, Due, Loop, Who
from prm_training.models import EvaluationRun, Publication, RewardModel, ScoringRun, Selection, TrainingRun

AT = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
OPEN = Round(number=1, status="open", opened_at=AT)
PUBLISHING = Round(number=1, status="publishing", opened_at=AT)
CLOSED = Round(number=1, status="closed", opened_at=AT, closed_at=AT + timedelta(hours=1))
MODEL, NEWER = RewardModel(name="a"), RewardModel(name="b")


def ended(model, status="done", **columns):
    return model(status=status, created_at=AT, finished_at=AT + timedelta(minutes=1), **columns)


def stands(**columns):
    return Loop(**{"phase_status": "running", "round": CLOSED, "current": MODEL} | columns)


@pytest.mark.parametrize(
    ("rows", "act"),
    [
        ({"round": None, "current": None}, Act.SELECT),
        ({"round": None}, Act.SELECT),
        ({"round": None, "is_unscored": True}, Act.SCORE),
        ({"round": OPEN, "labels_new": 3}, Act.LABEL),
        ({"round": OPEN, "is_full": True, "labels_new": 9}, Act.CLOSE),
        ({"labels_new": 9, "candidate": NEWER, "selection": Selection()}, Act.TRAIN),
        ({"candidate": NEWER}, Act.EVALUATE),
        ({"candidate": NEWER, "is_compared": True}, Act.PROMOTE),
        ({"candidate": NEWER, "is_compared": True, "obstacle": "F1 fell.", "is_unscored": True}, Act.SCORE),
        ({"is_unscored": True, "selection": Selection()}, Act.SCORE),
        ({"current": None, "is_unscored": True}, Act.SELECT),
        ({"selection": Selection()}, Act.PUBLISH),
        ({}, Act.SELECT),
        ({"phase_status": "paused"}, Act.SELECT),
        ({"phase_status": "draft", "round": None}, Act.SELECT),
    ],
)
def test_what_is_due(rows, act):
    assert next_act.next_act(stands(**rows)) == Due(act)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ({"phase_status": "closed", "labels_new": 9}, "The phase is closed."),
        ({"phase_status": "archived"}, "The phase is archived."),
        ({"has_candidates": False}, "Every solution"),
        ({"labels_new": 9, "jobs": {"train": TrainingRun(status="running")}}, "Training is under way."),
        ({"jobs": {"score": ScoringRun(status="queued")}}, "Scoring is under way."),
    ],
)
def test_why_nothing_is(rows, reason):
    due = next_act.next_act(stands(**rows))
    assert (due.act, due.who) == (None, None)
    assert reason in due.reason


def test_everybody_has_their_part():
    assert {who: [act for act in Act if next_act.WHO[act] == who] for who in Who} == {
        Who.ANNOTATORS: [Act.LABEL],
        Who.STAFF: [Act.CLOSE, Act.SELECT, Act.PUBLISH],
        Who.ML_STAFF: [Act.TRAIN, Act.EVALUATE, Act.PROMOTE, Act.SCORE],
    }
    assert [act for acts in next_act.PARTS.values() for act in acts] == list(Act)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ({"round": None, "current": None}, ["waiting", "waiting", "waiting", "due", "waiting"]),
        (
            {"round": PUBLISHING, "jobs": {"publish": Publication(status="running")}},
            ["waiting", "waiting", "waiting", "waiting", "running"],
        ),
        ({"round": OPEN}, ["running", "waiting", "waiting", "waiting", "waiting"]),
        ({"round": OPEN, "is_full": True}, ["due", "waiting", "waiting", "waiting", "waiting"]),
        ({"labels_new": 1, "jobs": {"train": ended(TrainingRun)}}, ["done", "due", "waiting", "waiting", "waiting"]),
        ({"jobs": {"train": TrainingRun(status="running")}}, ["done", "running", "waiting", "waiting", "waiting"]),
        (
            {"jobs": {"train": ended(TrainingRun), "evaluate": EvaluationRun(status="queued")}},
            ["done", "running", "waiting", "waiting", "waiting"],
        ),
        (
            {"labels_new": 1, "jobs": {"train": ended(TrainingRun, "failed")}},
            ["done", "failed", "waiting", "waiting", "waiting"],
        ),
        ({"jobs": {"train": ended(TrainingRun, "cancelled")}}, ["done", "waiting", "waiting", "due", "waiting"]),
    ],
)
def test_the_state_of_each_part(rows, expected):
    assert list(next_act.states(stands(**rows)).values()) == expected


def failed_publication(**columns):
    """It failed as round 1 was open; that began an hour before."""
    run = Publication(status="failed", created_at=AT, finished_at=AT + timedelta(minutes=30), error="Still open.")
    return next_act.states(stands(jobs={"publish": run} | columns.pop("jobs", {}), **columns))["publish"]


def test_a_failure_is_told_while_it_holds():
    assert failed_publication(round=OPEN) == "failed"


def test_a_failure_is_over_once_the_round_is_closed():
    assert failed_publication(round=CLOSED, selection=Selection()) == "due"


def test_a_failure_is_over_once_there_is_another_selection():
    later = Selection(status="done", created_at=AT + timedelta(minutes=40))
    assert failed_publication(round=OPEN, jobs={"select": later}) == "waiting"


@pytest.mark.parametrize(("scored_after", "state"), [(timedelta(minutes=-5), "failed"), (timedelta(minutes=5), "due")])
def test_a_selection_that_lacked_scores_is_over_once_they_came(scored_after, state):
    failed = ended(Selection, "failed")
    scored = ScoringRun(status="done", created_at=AT, finished_at=failed.finished_at + scored_after)
    earlier = Round(number=0, status="closed", opened_at=AT - timedelta(days=1), closed_at=AT)
    assert next_act.states(stands(round=earlier, jobs={"select": failed, "score": scored}))["select"] == state


def test_the_evaluation_stands_for_the_training_until_it_is_done():
    trained, running = ended(TrainingRun), EvaluationRun(status="running")
    assert next_act.newest_job(stands(jobs={"train": trained, "evaluate": running}), "train") is running
    assert next_act.newest_job(stands(jobs={"train": trained, "evaluate": ended(EvaluationRun)}), "train") is trained
    assert next_act.newest_job(stands(), "train") is None
