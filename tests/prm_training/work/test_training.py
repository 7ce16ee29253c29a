"""Training and scoring runs from rows to rows, on a few labels, with a tiny base."""

from copy import deepcopy

import pytest
from django.utils import timezone

from labeling.jobs import lifecycle
from labeling.jobs.run_log import text_of
from labeling.models import Phase, Problem, Solution
from prm_training.models import EvaluationRun, RewardModel, Score
from prm_training.prm import pretrain
from prm_training.prm.train import TrainConfig
from prm_training.reward_models import promotion
from prm_training.work import evaluation, scoring, training


def curve_of(run):
    return list(run.loss_points.order_by("step").values_list("step", "loss"))


def test_training_leaves_a_model_and_its_metrics(train):
    run = train()
    assert (run.status, run.error) == ("done", "")
    assert promotion.current(run.phase) == run.reward_model
    assert run.snapshot.counts["labels"] == 12
    assert len(curve_of(run)) == run.done == run.total
    assert run.metrics["train_loss"] > 0


@pytest.mark.any_database
def test_it_reports_its_settings_before_the_first_step(make, train, base):
    """Defaults are listed, too; the settings as chosen stay unchanged."""
    run = make.training_run(base=base, settings={"epochs": 3, "seed": 5})
    seen = []

    def work(run, report):
        def spy(**columns):
            report(**columns)
            seen.append(deepcopy(columns))

        training.train(run, spy)

    lifecycle.carry_out(run.pk, work, worker="here")
    started = next(columns for columns in seen if "resolved" in columns)
    assert (started["done"], started["rows"]) == (0, [])
    run.refresh_from_db()
    found = run.resolved
    assert found == started["resolved"]
    chosen = {"epochs": 3, "seed": 5, "base": base, "snapshot": run.snapshot.labels_hash}
    automatic = {"learning_rate": 1e-3, "batch_tokens": 512, "precision": "fp32", "device": "cpu"}
    assert {name: found[name] for name in chosen | automatic} == chosen | automatic
    assert found["tokens_read"] == 3 * run.metrics["train_counts"]["tokens"]
    assert found["optimiser_steps"] == run.done
    assert found["max_length"] >= 8
    assert {"torch", "transformers", "stepmark", "python", "parameters"} <= found.keys()


@pytest.mark.any_database
def test_a_base_made_on_the_spot_is_named(make, train, monkeypatch):
    tiny = pretrain.PretrainConfig(vocabulary=300, hidden=16, layers=1, heads=2, steps=2, epochs=1)
    monkeypatch.setattr(training, "TrainConfig", lambda **chosen: TrainConfig(pretraining=tiny, **chosen))
    run = train(make.training_run(settings={"epochs": 1}))
    assert run.resolved["base"].startswith("base-")
    assert run.resolved["pretraining"]["vocabulary"] == 300


@pytest.mark.any_database
@pytest.mark.parametrize("stopped_at", [3, 5])
def test_a_resumed_run_goes_on_with_its_epochs_and_its_curve(make, train, base, monkeypatch, stopped_at):
    """Stopped in its second epoch, at a checkpoint or a step after it; an epoch has four steps."""
    monkeypatch.setattr(training, "WRITE_EVERY_SECONDS", 0)
    settings = {"epochs": 3, "seed": 1, "checkpoint_every": 1000, "batch_tokens": 40}
    for _ in range(6):
        make.labelling(make.task(Phase.objects.get(), solution=make.solution(make.problem(split="test"))), 1, -1)
    whole = train(make.training_run(base=base, settings=settings))
    first_end = whole.metrics["epochs"][0]["step"]
    run, reported = make.training_run(base=base, settings=settings), []

    def attempt(worker, *, until):
        def report_until(report):
            def told(**columns):
                report(**columns)
                reported.append(deepcopy(columns) | {"curve": curve_of(run)})
                if (columns["stage"], columns.get("done")) == ("training", until):
                    raise lifecycle.Interrupted

            return told

        def work(run, report):
            training.train(run, report_until(report))

        lifecycle.carry_out(run.pk, work, worker=worker)
        run.refresh_from_db()

    attempt("here", until=first_end + stopped_at)
    assert (run.status, len(curve_of(run))) == ("queued", first_end + stopped_at)
    reported.clear()
    attempt("there", until=None)
    resumed = next(columns for columns in reported if "resolved" in columns)
    assert resumed["done"] == len(resumed["curve"]) == first_end, "as far as the checkpoint"
    assert resumed["metrics"]["epochs"] == whole.metrics["epochs"][:1]
    for columns in (each for each in reported if each["stage"] == "training"):
        assert [step for step, _ in columns["curve"]] == list(range(1, columns["done"] + 1))
    assert (curve_of(run), run.metrics["epochs"]) == (curve_of(whole), whole.metrics["epochs"])
    told = [line.split(" ", 1)[1][:7] for line in text_of(run).splitlines() if " epoch " in line]
    assert told == ["epoch 1", "epoch 2", "epoch 3"]


@pytest.mark.any_database
def test_the_second_model_waits_to_be_promoted(train):
    first, second = train(), train()
    assert promotion.current(first.phase) == first.reward_model
    assert second.snapshot == first.snapshot


def test_an_orm_learns_final_answers_and_chooses_beside_the_prm(make, train, base):
    for split, problems in (("train", 3), ("test", 2)):
        for problem in (make.problem(split=split) for _ in range(problems)):
            for verdict in ("right", "wrong", "unsure"):
                make.solution(problem, verdict=verdict, steps=["So.", f"It is {verdict}."])
    prm = train().reward_model
    orm = train(make.training_run(base=base, supervision="outcome", settings={"epochs": 1})).reward_model
    assert orm.training_run.snapshot.counts["split"] == {"train": 12, "test": 4}
    assert promotion.current(orm.phase) == prm
    for model, held_out in ((prm, None), (orm, 4)):
        run = EvaluationRun.objects.get(reward_model=model)
        lifecycle.carry_out(run.pk, evaluation.evaluate, worker="here")
        run.refresh_from_db()
        assert (run.status, run.error) == ("done", "")
        found = run.metrics["best_of_n"]
        assert ({"prm", "orm"} <= found["curves"].keys(), found["problems"]) == (True, 2)
        assert held_out is None or run.metrics["held_out"]["steps"] == held_out
    score = Score.objects.filter(reward_model=orm).first()
    assert score.log_score == pytest.approx(score.step_log_probabilities[-1])
    with pytest.raises(promotion.NotForSteps):
        promotion.promote(reward_model=orm, phase=orm.phase, by=None, at=timezone.now(), is_override=True)


@pytest.mark.any_database
def test_a_model_is_evaluated_beside_the_current_one(make, train, settings):
    settings.PROMOTION_NEEDS = {"problems": 2, "negatives": 2}
    held_out, other = make.problem(split="test"), make.problem(split="test")
    for number in range(4):
        make.labelling(
            make.task(Phase.objects.get(), solution=make.solution(other if number == 3 else held_out)),
            *(1, -1 if number % 2 else 1),
        )
        make.solution(held_out, verdict="right" if number % 2 else "wrong")
    first, second = train().reward_model, train().reward_model
    for model in (first, second):
        run = EvaluationRun.objects.get(reward_model=model)
        lifecycle.carry_out(run.pk, evaluation.evaluate, worker="here")
        run.refresh_from_db()
        assert (run.status, run.error) == ("done", "")
        assert run.metrics["held_out"]["steps"] == 8
        assert run.metrics["first_error"]["solutions_erroneous"] == 2
        assert run.metrics["best_of_n"]["problems"] == 1
    assert run.baseline == first
    assert run.baseline_metrics["held_out"] == run.metrics["held_out"]  # the same seed, the same labels
    assert run.resolved["snapshot"] == run.snapshot.labels_hash
    assert run.metrics["problems"] == 2
    low, high = run.metrics["intervals"]["accuracy"]
    assert 0 <= low <= run.metrics["held_out"]["accuracy"] <= high <= 1
    assert run.baseline_metrics["intervals"] == run.metrics["intervals"]
    assert run.metrics["differences"]["accuracy"]["value"] == 0
    gate = promotion.gate(second, phase=second.phase, current=first)
    assert (len(gate.compared) > 0, gate.obstacle, gate.shortage) == (True, "", "")


def test_scoring_gives_each_solution_one_score(make, train):
    model = train().reward_model
    pool = make.solutions(4)
    for _ in range(2):
        run = make.scoring_run(reward_model=model)
        lifecycle.carry_out(run.pk, scoring.score, worker="here")
    assert Score.objects.filter(reward_model=model, solution__in=pool).count() == len(pool)
    run.refresh_from_db()
    assert run.summary == {"scored": 0, "too_long": 0}
    assert (run.resolved["aggregate"], run.resolved["device"], run.resolved["precision"]) == ("product", "cpu", "fp32")


def test_scoring_for_a_phase_leaves_the_rest_alone(make, train):
    model, phase = train().reward_model, make.phase(sources=["gsm8k"])
    own, other = make.solution(source="gsm8k"), make.solution(source="demo")
    run = make.scoring_run(reward_model=model, phase=phase)
    lifecycle.carry_out(run.pk, scoring.score, worker="here")
    run.refresh_from_db()
    assert (run.status, run.summary) == ("done", {"scored": 1, "too_long": 0})
    assert list(Score.objects.filter(solution__in=[own, other]).values_list("solution", flat=True)) == [own.pk]


def test_a_campaigns_model_is_measured_on_its_own_pool(make, train, base):
    phase = make.phase(sources=["gsm8k"])
    make.labelling(make.task(phase, solution=make.solution(source="gsm8k")), 1, -1)
    sources = ["gsm8k", "gsm8k", "demo"]
    for source, problem in ((source, make.problem()) for source in sources):
        for verdict in ("right", "wrong"):
            make.solution(problem, source=source, verdict=verdict, steps=[f"It is {verdict}."])
    own = make.training_run(phase=phase, base=base, settings={"epochs": 1})
    for model, problems in ((train(own).reward_model, 2), (train().reward_model, 3)):
        run = EvaluationRun.objects.get(reward_model=model)
        lifecycle.carry_out(run.pk, evaluation.evaluate, worker="here")
        run.refresh_from_db()
        assert run.metrics["best_of_n"]["problems"] == problems
    assert not Score.objects.filter(reward_model=own.reward_model, solution__source="demo").exists()


def test_every_round_is_measured_on_the_test_problems_if_there_are_enough(make, train, monkeypatch):
    """Problems outside the test split become fewer with each training, and may have fewer solutions."""
    for split in ("train", "test", "test"):
        problem = make.problem(split=split)
        for verdict in ("right", "wrong"):
            make.solution(problem, verdict=verdict, steps=[f"It is {verdict}."])
    for enough, problems in ((2, 2), (3, 3)):
        monkeypatch.setattr(evaluation, "ENOUGH_PROBLEMS", enough)
        run = EvaluationRun.objects.get(reward_model=train().reward_model)
        lifecycle.carry_out(run.pk, evaluation.evaluate, worker="here")
        run.refresh_from_db()
        assert run.metrics["best_of_n"]["problems"] == problems


def test_a_small_base_is_made_from_the_phases_sources(make):
    phase = make.phase(sources=["gsm8k"])
    own, _ = make.solution(source="gsm8k"), make.solution(source="demo")
    assert [problem for problem, _ in training._texts([phase], [])] == [own.problem.statement]
    assert len(list(training._texts([], []))) == 2
    Problem.objects.filter(pk=own.problem_id).update(overlap="benchmark", split="test")
    assert list(training._texts([phase], [])) == []


@pytest.mark.any_database
def test_an_evaluation_watches_for_over_optimisation(make, train):
    """Both graded solutions of a problem are read, the one without a sure verdict is not."""
    run = EvaluationRun.objects.get(reward_model=train().reward_model)
    for _ in range(3):
        problem = make.problem()
        for verdict in ("right", "wrong", "unsure"):
            make.solution(problem, verdict=verdict, steps=[f"It is {verdict}."])
    lifecycle.carry_out(run.pk, evaluation.evaluate, worker="here")
    run.refresh_from_db()
    found = run.metrics["best_of_n"]
    assert (found["problems"], found["sizes"]) == (3, [1, 2])
    assert (found["curves"]["prm"]["values"][0], found["curves"]["oracle"]["values"]) == (0.5, [0.5, 1.0])
    one, two = found["curves"]["proxy"]["values"]
    assert one < two


@pytest.mark.any_database
def test_best_of_n_is_over_draws_and_not_over_texts(make, train, base):
    """Of 4 draws of each problem, 3 are one right text; another campaign's draws don't count."""
    phase = make.phase(sources=["own"])
    make.labelling(make.task(phase, solution=make.solution(source="own")), 1, -1)
    own = make.training_run(phase=phase, base=base, settings={"epochs": 1})
    run = EvaluationRun.objects.get(reward_model=train(own).reward_model)
    for problem in (make.problem(), make.problem()):
        for verdict, draws in (("right", 3), ("wrong", 1)):
            columns = {"verdict": verdict, "answer": verdict, "steps": [f"It is {verdict}."]}
            solution = make.solution(problem, source="own", **columns)
            for number in range(1, draws):
                make.sample(solution, source="own", draw=number)
            make.sample(solution, source="another")
    lifecycle.carry_out(run.pk, evaluation.evaluate, worker="here")
    run.refresh_from_db()
    found = run.metrics["best_of_n"]
    assert (found["problems"], found["sizes"]) == (2, [1, 2, 4])
    for way in ("prm", "majority", "oracle"):
        assert found["curves"][way]["values"][0] == pytest.approx(0.75, abs=0.1)
    assert found["curves"]["majority"]["values"][-1] == found["curves"]["oracle"]["values"][1] == 1


@pytest.mark.django_db(transaction=True)
def test_an_evaluation_that_reads_some_problems_of_many_lets_others_write(make, train, at_once, monkeypatch):
    """A query left half-read pins SQLite's state of that moment, and later writes would fail."""
    run = EvaluationRun.objects.get(reward_model=train().reward_model)
    # More than are read at once.
    many = [Problem(statement=f"{n}", text_hash=f"{n}", split="test") for n in range(2100)]
    Problem.objects.bulk_create(many)
    Solution.objects.bulk_create(Solution(problem=row, steps=["1"], verdict="right", text_hash="1") for row in many)

    def store_after_others(*given):
        at_once(lambda name: Problem.objects.update(subject=name), ["algebra"])
        return scoring.scores_of(*given)

    monkeypatch.setattr(evaluation, "MOST_PROBLEMS", 1)
    monkeypatch.setattr(evaluation, "scores_of", store_after_others)
    lifecycle.carry_out(run.pk, evaluation.evaluate, worker="here")
    run.refresh_from_db()
    assert (run.status, run.error) == ("done", "")


@pytest.mark.any_database
def test_the_checkpoint_of_another_version_is_thrown_away(make, train, base, settings):
    written = settings.MODELS_ROOT / str(train().pk) / "checkpoint" / "state.pt"
    run = make.training_run(base=base, settings={"epochs": 2, "seed": 1})
    kept = settings.MODELS_ROOT / str(run.pk) / "checkpoint" / "state.pt"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(written.read_bytes())
    assert train(run).status == "done"


def test_a_run_that_was_asked_to_stop_stops(make, train, base):
    run = make.training_run(base=base, cancel_requested_at=timezone.now())
    assert train(run).status == "cancelled"
    assert not RewardModel.objects.exists()
