"""Several workers together score and evaluate the same as one, and nothing twice."""

import pytest
from django.test import override_settings

from labeling.data import snapshots
from labeling.jobs import batches, lifecycle
from labeling.jobs.run_log import text_of
from labeling.models import Solution
from prm_training.models import EvaluationRun, Score
from prm_training.prm import loading
from prm_training.prm import model as models
from prm_training.prm import score as prm_score
from prm_training.work import evaluation, scoring

pytestmark = pytest.mark.django_db(transaction=True)
WAYS = ["2 + 3 = 5.", "3 + 2 = 5.", "I count up: 3, 4, 5.", "2 is 1 + 1.", "Five less two is three."]


@pytest.fixture(scope="module")
def saved_model(tiny_base, tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    for number in range(2):
        models.save(loading.load_base(tiny_base), root / f"m{number}")
    return root


@pytest.fixture
def model(make, settings, saved_model, tmp_path):
    settings.MODELS_ROOT, settings.MEDIA_ROOT = saved_model, tmp_path
    return make.reward_model(directory="m0", is_current=True)


@pytest.fixture
def pool(make):
    """40 problems with 5 solutions each, whose first steps are the same."""
    return [
        make.solution(problem, steps=["We read: 2 + 3.", *WAYS[: number % 3], WAYS[number], "The answer is 5."])
        for problem in (make.problem() for _ in range(40))
        for number in range(5)
    ]


@pytest.fixture
def carried_out(at_once):
    """Carries out a run by worker `one` with two helpers."""

    def act(kind, run, work, help_with):
        def part(worker):
            if worker == "one":
                lifecycle.carry_out(run.pk, work, worker=worker)
            while type(run).objects.get(pk=run.pk).status in {"queued", "running"}:
                batches.help_out(run.pk, help_with, worker=worker, between=lambda: None)

        at_once(part, ["one", "two", "three"])
        run.refresh_from_db()
        assert (run.status, run.error) == ("done", "")
        return run

    return act


def help_score(run, worker, leaves_after=4):
    def between():
        if run.batches.filter(worker=worker, status="done").count() == leaves_after:
            lifecycle.shutting_down.set()

    batches.help_out(run.pk, scoring.help_score, worker=worker, between=between)
    lifecycle.shutting_down.clear()


def scores_of(model):
    rows = Score.objects.filter(reward_model=model).order_by("solution")
    return list(rows.values_list("solution", "log_score", "step_log_probabilities"))


def test_many_workers_score_as_one_does(make, model, pool, carried_out):
    alone = make.scoring_run(reward_model=model)
    lifecycle.carry_out(alone.pk, scoring.score, worker="alone")
    expected = scores_of(model)
    Score.objects.all().delete()
    run = carried_out("score", make.scoring_run(reward_model=model), scoring.score, scoring.help_score)
    assert scores_of(model) == expected
    assert (run.summary, run.done, run.total) == ({"scored": 200, "too_long": 0}, 200, 200)
    assert sum(result["scored"] for result in run.batches.values_list("result", flat=True)) == 200


def test_a_new_attempt_takes_the_remaining_batches(make, model, pool):
    run = make.scoring_run(reward_model=model)
    told = []

    def dying(run, report):
        def spy(**columns):
            report(**columns)
            told.append(columns.get("done"))
            if columns.get("done"):
                raise lifecycle.Interrupted

        scoring.score(run, spy)

    lifecycle.carry_out(run.pk, dying, worker="first")
    lifecycle.carry_out(run.pk, scoring.score, worker="second")
    run.refresh_from_db()
    assert (run.status, run.summary["scored"], run.done) == ("done", 200, 200)
    assert list(run.batches.order_by("number").values_list("worker", flat=True)) == ["first", *["second"] * 3]


def test_a_worker_that_does_not_find_the_model_leaves_the_run_to_the_others(make, model, pool, tmp_path):
    """Two of four batches are taken by a worker that has the model; one that lacks it fails nothing."""
    run, asked = make.scoring_run(reward_model=model), []

    def with_helpers(run, report):
        def tell(**columns):
            report(**columns)
            if columns["stage"] == "scoring" and not asked:
                asked.append(True)
                with override_settings(MODELS_ROOT=tmp_path / "another disk"):
                    help_score(run, "two")
                help_score(run, "three", leaves_after=2)

        scoring.score(run, tell)

    lifecycle.carry_out(run.pk, with_helpers, worker="one")
    run.refresh_from_db()
    assert (run.status, run.error, run.summary) == ("done", "", {"scored": 200, "too_long": 0})
    took = run.batches.order_by("number").values_list("worker", "attempts")
    assert list(took) == [("three", 1), ("three", 1), ("one", 1), ("one", 1)]
    assert "two could not help, and leaves the run to others" in text_of(run)


def test_the_solutions_of_a_problem_stay_together(pool):
    found = list(scoring.shares_of(Solution.objects.all()))
    assert [size for size, _ in found] == [65, 65, 65, 5], "64, and what the last problem has beyond"
    bounds = [bound for _, work in found for bound in (work["first_problem"], work["last_problem"])]
    assert bounds == sorted(bounds)
    assert len(set(bounds)) == 7, "the last has one problem"


def test_batches_read_no_token_more_often(model, pool, saved_model):
    """Compares scoring batch by batch with scoring the whole pool at once."""
    network = loading.load_reward_model(saved_model / "m0")
    read, counted = models.begin_to_read, []

    def count(network, passes, tell):
        counted.append(sum(map(len, passes)))
        return read(network, passes, tell)

    def tokens(*parts):
        counted.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(prm_score.models, "begin_to_read", count)
            for part in parts:
                scoring.scores_of(model, network, Solution.objects.filter(**part))
        return sum(counted)

    works = [work for _, work in scoring.shares_of(Solution.objects.all())]
    parts = [{"problem__gte": each["first_problem"], "problem__lte": each["last_problem"]} for each in works]
    assert tokens(*parts) == tokens({})


@pytest.fixture
def evaluated(make, model):
    """Makes an evaluation on 4 held-out problems and one that the model has learned from, all with solutions."""
    problems = [make.problem(split="test") for _ in range(4)] + [make.problem()]
    for problem in problems:
        for number in range(2):
            solution = make.solution(problem, verdict="right" if number else "wrong", steps=["So.", f"It is {number}."])
            make.labelling(make.task(model.phase, solution=solution), 1, 1 if number else -1)
    run = make.training_run(status="done", snapshot=None)
    run.snapshot = snapshots.freeze(run.label_filter)
    run.save()
    other = make.reward_model(training_run=run, directory="m1")
    return make.evaluation_run(reward_model=other, baseline=model, snapshot=run.snapshot), problems


def test_many_workers_evaluate_as_one_does(make, evaluated, carried_out, monkeypatch):
    monkeypatch.setattr(evaluation, "LABELS_AT_ONCE", 4)
    monkeypatch.setattr(scoring, "SMALLEST", 2)
    run, _ = evaluated
    again = make.evaluation_run(reward_model=run.reward_model, baseline=run.baseline, snapshot=run.snapshot)
    EvaluationRun.objects.filter(pk=again.pk).update(status="done")
    carried_out("evaluate", run, evaluation.evaluate, evaluation.help_evaluate)
    Score.objects.all().delete()
    EvaluationRun.objects.filter(pk=again.pk).update(status="queued")
    lifecycle.carry_out(again.pk, evaluation.evaluate, worker="alone")
    again.refresh_from_db()
    assert (again.status, again.error) == ("done", "")
    assert run.metrics == again.metrics
    assert run.baseline_metrics == again.baseline_metrics
    assert (run.metrics["problems"], run.metrics["held_out"]["steps"]) == (4, 16)
    assert not run.batches.exists()


def test_training_problems_are_neither_in_a_batch_nor_scored(evaluated, monkeypatch):
    run, problems = evaluated
    cut = []
    monkeypatch.setattr(batches, "cut", lambda run, shares, real=batches.cut: (cut.extend(shares), real(run, shares)))
    lifecycle.carry_out(run.pk, evaluation.evaluate, worker="one")
    *held_out, learned = map(str, (problem.pk for problem in problems))
    named = {"groups": set(), "problems": set()}
    for _, work in cut:
        for kind in named.keys() & work.keys():
            named[kind].update(work[kind])
    assert named == {"groups": set(held_out), "problems": set(held_out)}
    scored = Score.objects.filter(reward_model=run.reward_model).values_list("solution__problem", flat=True)
    assert {str(problem) for problem in scored} == set(held_out)
    assert str(learned) not in {str(problem) for problem in scored}
