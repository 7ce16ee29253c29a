"""prm_training.loop.next_act: a phase's state and the step due next, as a pure rule without rows."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from labeling.models import Round
from prm_training.loop import next_act
from prm_training.loop.next_act import Act, Due, Who
from prm_training.models import EvaluationRun, Publication, RewardModel, ScoringRun, Selection, TrainingRun
from prm_training.reward_models.promotion import Gate

AT = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
OPEN = Round(number=1, status="open", opened_at=AT)
PUBLISHING = Round(number=1, status="publishing", opened_at=AT)
CLOSED = Round(number=1, status="closed", opened_at=AT, closed_at=AT + timedelta(hours=1))
RUNNING, QUEUED = TrainingRun(status="running"), ScoringRun(status="queued")
MODEL, NEWER = RewardModel(name="a"), RewardModel(name="b")


def ended(model, status="done", **columns):
    return model(status=status, created_at=AT, finished_at=AT + timedelta(minutes=1), **columns)


NOTHING = {
    **{"phase_status": "running", "round": CLOSED, "is_full": False, "has_new_labels": False, "jobs": {}},
    **{"candidate": None, "is_compared": False, "gate": Gate(), "is_unscored": False, "selector": MODEL},
    **{"selection": None, "has_candidates": True, "is_automatic": False, "waits_for_rulings": False},
}


def stands(**columns):
    assert columns.keys() <= NOTHING.keys()
    return SimpleNamespace(**NOTHING | columns)


@pytest.mark.parametrize(
    ("rows", "act"),
    [
        ({"round": None, "selector": None}, Act.SELECT),
        ({"round": None}, Act.SELECT),
        ({"round": None, "is_unscored": True}, Act.SCORE),
        ({"round": OPEN, "has_new_labels": True}, Act.LABEL),
        ({"round": OPEN, "jobs": {"train": TrainingRun(status="running")}}, Act.LABEL),
        ({"round": OPEN, "is_full": True, "has_new_labels": True}, Act.CLOSE),
        ({"has_new_labels": True, "candidate": NEWER, "selection": Selection()}, Act.TRAIN),
        ({"has_new_labels": True, "waits_for_rulings": True}, Act.RULE),
        ({"round": OPEN, "is_full": True, "has_new_labels": True, "waits_for_rulings": True}, Act.CLOSE),
        ({"waits_for_rulings": True}, Act.SELECT),
        ({"candidate": NEWER}, Act.EVALUATE),
        ({"candidate": NEWER, "is_compared": True}, Act.PROMOTE),
        ({"candidate": NEWER, "is_compared": True, "gate": Gate(obstacle="F1 fell."), "is_unscored": True}, Act.SCORE),
        ({"candidate": NEWER, "is_compared": True, "gate": Gate(shortage="Too few.")}, Act.SELECT),
        ({"is_unscored": True, "selection": Selection()}, Act.SCORE),
        ({"selector": None, "is_unscored": True}, Act.SELECT),
        ({"selection": Selection()}, Act.PUBLISH),
        ({}, Act.SELECT),
        ({"phase_status": "paused"}, Act.SELECT),
        ({"phase_status": "draft", "round": None}, Act.SELECT),
    ],
)
def test_what_is_due(rows, act):
    assert next_act.next_act(stands(**rows)) == Due(act)


@pytest.mark.parametrize(
    ("rows", "reason", "job"),
    [
        ({"phase_status": "closed", "has_new_labels": True}, "The phase is closed.", None),
        ({"phase_status": "archived"}, "The phase is archived.", None),
        ({"has_candidates": False}, "Every solution", None),
        ({"has_new_labels": True, "jobs": {"train": RUNNING}}, "Training is under way.", RUNNING),
        ({"round": OPEN, "is_full": True, "jobs": {"train": RUNNING}}, "Training is under way.", RUNNING),
        ({"jobs": {"train": RUNNING, "score": QUEUED}}, "Scoring is under way.", QUEUED),
    ],
)
def test_why_nothing_is_due(rows, reason, job):
    due = next_act.next_act(stands(**rows))
    assert (due.act, due.job) == (None, job)
    assert reason in due.reason


def test_who_takes_each_step():
    assert {who: [act for act in Act if next_act.who(stands(), act) == who] for who in Who} == {
        Who.ANNOTATORS: [Act.LABEL],
        Who.EXPERTS: [Act.RULE],
        Who.STAFF: [Act.CLOSE, Act.SELECT, Act.PUBLISH],
        Who.ML_STAFF: [Act.TRAIN, Act.EVALUATE, Act.PROMOTE, Act.SCORE],
        Who.AUTOPILOT: [],
    }
    assert [act for acts in next_act.PARTS.values() for act in acts] == list(Act)


def test_an_autopilot_does_all_that_is_not_up_to_people():
    on = stands(is_automatic=True)
    assert [act for act in Act if next_act.who(on, act) != Who.AUTOPILOT] == [Act.LABEL, Act.RULE]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ({"round": None, "selector": None}, ["waiting", "waiting", "waiting", "due", "waiting"]),
        (
            {"round": PUBLISHING, "jobs": {"publish": Publication(status="running")}},
            ["waiting", "waiting", "waiting", "waiting", "running"],
        ),
        ({"round": OPEN}, ["running", "waiting", "waiting", "waiting", "waiting"]),
        ({"round": OPEN, "is_full": True}, ["due", "waiting", "waiting", "waiting", "waiting"]),
        (
            {"has_new_labels": True, "jobs": {"train": ended(TrainingRun)}},
            ["done", "due", "waiting", "waiting", "waiting"],
        ),
        ({"jobs": {"train": TrainingRun(status="running")}}, ["done", "running", "waiting", "waiting", "waiting"]),
        (
            {"jobs": {"train": ended(TrainingRun), "evaluate": EvaluationRun(status="queued")}},
            ["done", "running", "waiting", "waiting", "waiting"],
        ),
        (
            {"has_new_labels": True, "jobs": {"train": ended(TrainingRun, "failed")}},
            ["done", "failed", "waiting", "waiting", "waiting"],
        ),
        ({"jobs": {"train": ended(TrainingRun, "cancelled")}}, ["done", "waiting", "waiting", "due", "waiting"]),
    ],
)
def test_the_state_of_each_part(rows, expected):
    assert list(next_act.states(stands(**rows)).values()) == expected


def failed_publication(**columns):
    """Returns a publication that failed since round 1, an hour old, was open."""
    run = Publication(status="failed", created_at=AT, finished_at=AT + timedelta(minutes=30), error="Still open.")
    return next_act.states(stands(jobs={"publish": run} | columns.pop("jobs", {}), **columns))["publish"]


def test_a_failed_publication_is_shown_while_the_round_is_open():
    assert failed_publication(round=OPEN) == "failed"


def test_a_failure_is_over_once_the_round_is_closed():
    assert failed_publication(round=CLOSED, selection=Selection()) == "due"


def test_a_failure_is_over_once_there_is_another_selection():
    later = Selection(status="done", created_at=AT + timedelta(minutes=40))
    assert failed_publication(round=OPEN, jobs={"select": later}) == "waiting"


@pytest.mark.parametrize(("scored_after", "state"), [(timedelta(minutes=-5), "failed"), (timedelta(minutes=5), "due")])
def test_a_failed_selection_is_due_again_after_a_scoring(scored_after, state):
    failed = ended(Selection, "failed")
    scored = ScoringRun(status="done", created_at=AT, finished_at=failed.finished_at + scored_after)
    earlier = Round(number=0, status="closed", opened_at=AT - timedelta(days=1), closed_at=AT)
    assert next_act.states(stands(round=earlier, jobs={"select": failed, "score": scored}))["select"] == state


def test_a_running_evaluation_is_shown_in_place_of_the_training():
    trained, running = ended(TrainingRun), EvaluationRun(status="running")
    assert next_act.newest_job(stands(jobs={"train": trained, "evaluate": running}), "train") is running
    assert next_act.newest_job(stands(jobs={"train": trained, "evaluate": ended(EvaluationRun)}), "train") is trained
    assert next_act.newest_job(stands(), "train") is None
