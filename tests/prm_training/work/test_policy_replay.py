"""Policies compared on existing labels: equal budgets, a shared beginning, and no loss by interruptions."""

from collections import defaultdict

import pytest
from django.conf import settings
from django.test import override_settings

from labeling.jobs import lifecycle
from labeling.models import Problem
from prm_training.models import Policy
from prm_training.work import policy_replay, training
from prm_training.work.policy_replay import BUDGETS

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def model(make_once, tiny_base, tmp_path_factory):
    """A model trained on 24 labellings of different problems; six more are held out."""
    folder = tmp_path_factory.mktemp("replays")
    phase = make_once.phase()
    for number in range(30):
        problem = make_once.problem(split="test" if number % 5 == 0 else "train")
        verdict = "wrong" if number % 2 else "right"
        task = make_once.task(phase, solution=make_once.solution(problem, verdict=verdict))
        make_once.labelling(task, 1, -1 if number % 2 else 1)
    with override_settings(MEDIA_ROOT=folder / "files", MODELS_ROOT=folder / "models"):
        run = make_once.training_run(base=str(tiny_base), settings={"epochs": 1, "seed": 1})
        lifecycle.carry_out(run.pk, training.train, worker="here")
        run.refresh_from_db()
        yield run.reward_model


def carried_out(run, work=policy_replay.replay):
    lifecycle.carry_out(run.pk, work, worker="here")
    run.refresh_from_db()
    return run


@pytest.fixture(scope="module")
def whole(make_once, model):
    """A replay with two seeds that nothing interrupted."""
    return carried_out(make_once.policy_replay(reward_model=model, seeds=2))


def test_each_policy_spends_each_budget_from_the_same_beginning(whole):
    assert (whole.status, whole.error, whole.done) == ("done", "", whole.total)
    curves = defaultdict(list)
    for point in whole.metrics["points"]:
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
    assert not (settings.MODELS_ROOT / str(whole.pk)).exists()


@pytest.mark.any_database  # an uninterrupted one sends the same statements
@pytest.mark.long("a training for each budget of each policy")
def test_an_interrupted_one_gives_the_same(make, model, whole):
    """Interrupted within the second policy; a replay's first seed is that of one with fewer seeds."""

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
    assert carried_out(run).metrics["points"] == [each for each in whole.metrics["points"] if each["seed"] == 1]


def test_rulings_can_be_picked_too(make, model):
    task = make.task(solution=make.solution(Problem.objects.first()))
    found = dict(policy_replay._solutions([str(task.pk)]))
    assert found[str(task.pk)][0] == task.solution_id
