"""Policies compared on existing labels: equal budgets, a shared beginning, and no loss by interruptions."""

from collections import defaultdict

import pytest
from django.conf import settings

from labeling.jobs import lifecycle
from labeling.models import Problem
from prm_training.models import Policy
from prm_training.work import policy_replay, training
from prm_training.work.policy_replay import BUDGETS

pytestmark = pytest.mark.django_db


@pytest.fixture
def model(make, base):
    """A model trained on 24 labellings of different problems; six more are held out."""
    phase = make.phase()
    for number in range(30):
        problem = make.problem(split="test" if number % 5 == 0 else "train")
        verdict = "wrong" if number % 2 else "right"
        task = make.task(phase, solution=make.solution(problem, verdict=verdict))
        make.labelling(task, 1, -1 if number % 2 else 1)
    run = make.training_run(base=base, settings={"epochs": 1, "seed": 1})
    lifecycle.carry_out(run.pk, training.train, worker="here")
    run.refresh_from_db()
    return run.reward_model


def carried_out(run, work=policy_replay.replay):
    lifecycle.carry_out(run.pk, work, worker="here")
    run.refresh_from_db()
    return run


@pytest.mark.long("a training for each budget of each policy")
def test_each_policy_spends_each_budget_from_the_same_beginning(make, model):
    run = carried_out(make.policy_replay(reward_model=model, seeds=2))
    assert (run.status, run.error, run.done) == ("done", "", run.total)
    curves = defaultdict(list)
    for point in run.metrics["points"]:
        curves[point["seed"], point["policy"]].append(point)
    policies = [name for name in Policy.values if name != "actprm"]  # the model has no ensemble
    assert curves.keys() == {(seed, policy) for seed in (1, 2) for policy in policies}
    for seed in (1, 2):
        firsts = [curves[seed, policy][0] | {"policy": ""} for policy in policies]
        assert firsts == firsts[:1] * len(policies)
    for curve in curves.values():
        labels = [point["labels"] for point in curve]
        assert labels == sorted(labels)
        assert len(labels) == len(BUDGETS)
        assert all(wanted <= spent <= wanted + 1 for spent, wanted in zip(labels, [5, 10, 17, 24, 34], strict=True))
        assert all(0 <= point["step_auc"] <= 1 for point in curve)
    assert not (settings.MODELS_ROOT / str(run.pk)).exists()


@pytest.mark.long("a training for each budget of each policy")
def test_an_interrupted_one_gives_the_same(make, model):
    whole = carried_out(make.policy_replay(reward_model=model, seeds=1)).metrics

    class Died(Exception):
        pass

    def interrupted(run, report):
        def dying(**columns):
            report(**columns)
            if columns.get("done") == len(BUDGETS) + 2:
                raise Died

        policy_replay.replay(run, dying)

    run = make.policy_replay(reward_model=model, seeds=1)
    with pytest.raises(Died):
        lifecycle.carry_out(run.pk, interrupted, worker="here")
    run.refresh_from_db()
    assert len(run.metrics["points"]) == len(BUDGETS) + 2
    lifecycle.retry(run)
    assert carried_out(run).metrics == whole


def test_rulings_can_be_picked_too(make, model):
    task = make.task(solution=make.solution(Problem.objects.first()))
    found = dict(policy_replay._solutions([str(task.pk)]))
    assert found[str(task.pk)][0] == task.solution_id
