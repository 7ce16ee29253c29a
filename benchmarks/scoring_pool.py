"""The pool and the model of `benchmarks.workers`, and its measurements on rows; runs inside `manage.py shell`."""

from statistics import median
from time import monotonic, process_time
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone

from benchmarks.lab.world.pool import make_world
from labeling.data.importing.pool import steps_hash
from labeling.jobs import batches
from labeling.jobs.batches import BatchResult
from labeling.models import Batch, Phase, Problem, Solution, User
from prm_training.models import RewardModel, Score, ScoringRun, TrainingRun
from prm_training.prm import loading, pretrain
from prm_training.prm import model as models
from prm_training.work import scoring

PASSWORD = "a long enough password"
PER_PROBLEM = 6


def fill(solutions: int) -> str:
    """Makes a person, a pool of arithmetic, and a barely trained model of the default size. Returns its id."""
    User.objects.create_superuser("root", password=PASSWORD)
    world = make_world(seed=1, problems=solutions // PER_PROBLEM, solutions=PER_PROBLEM, test_solutions=PER_PROBLEM)
    rows = [
        Problem(statement=each.statement, reference_answer=each.reference_answer, text_hash=each.id) for each in world
    ]
    Problem.objects.bulk_create(rows, batch_size=1000)
    Solution.objects.bulk_create(
        (
            Solution(problem=row, steps=list(text.steps), verdict="wrong", text_hash=steps_hash(text.steps))
            for row, each in zip(rows, world, strict=True)
            for text in each.solutions
        ),
        batch_size=1000,
        ignore_conflicts=True,
    )
    texts = [(each.statement, list(text.steps)) for each in world[:200] for text in each.solutions]
    pretrain.make_base(texts, settings.MODELS_ROOT / "base", pretrain.PretrainConfig(steps=2))
    models.save(loading.load_base(settings.MODELS_ROOT / "base"), settings.MODELS_ROOT / "model")
    phase = Phase.objects.create(name="Benchmark")
    run = TrainingRun.objects.create(name="Benchmark", phase=phase, status="done")
    return str(RewardModel.objects.create(name="Benchmark", training_run=run, directory="model").pk)


def scores_by(model: str) -> QuerySet[Score]:
    return Score.objects.filter(reward_model=UUID(model))


def forget_scores(model: str) -> int:
    return scores_by(model).delete()[0]


def timed(run_id: str) -> dict[str, Any]:
    run = ScoringRun.objects.get(pk=run_id)
    done = list(Batch.objects.filter(run=run.pk).order_by("started_at"))
    assert run.started_at and run.finished_at, "it is over"
    seconds = [(batch.finished_at - batch.started_at).total_seconds() for batch in done if batch.started_at]
    return {
        "workers": len({batch.worker for batch in done}),
        "seconds": round((run.finished_at - run.started_at).total_seconds(), 2),
        "seconds_before_the_first": round((done[0].started_at - run.started_at).total_seconds(), 2),
        "number_of_batches": len(done),
        "seconds_a_batch": round(median(seconds), 3),
        "scores": scores_by(str(run.reward_model_id)).count(),
        "batches": [{"solutions": batch.size, "seconds": each} for batch, each in zip(done, seconds, strict=True)],
    }


def cost_of_batches(model: str, number: int = 100) -> dict[str, Any]:
    """Returns the seconds it takes to claim a batch and to store its scores, without computing them."""
    rows = list(scores_by(model)[: scoring.LARGEST])
    run = ScoringRun.objects.create(reward_model_id=UUID(model), status="done")
    batches.cut(run, [(len(rows), {})] * number)
    whole = own = 0.0
    for _ in range(number):
        forget_scores(model)
        rows = [copy(row) for row in rows]
        began, worked = monotonic(), process_time()
        batch = batches.take(run, worker="benchmark", now=timezone.now())
        assert batch is not None, "there are so many"
        batches.finish(batch, BatchResult({"scored": len(rows), "too_long": 0}, rows))
        whole, own = whole + monotonic() - began, own + process_time() - worked
    return {
        "solutions_a_batch": len(rows),
        "seconds": round((whole - own) / number, 5),
        "seconds_of_the_worker": round(own / number, 5),
    }


def copy(row: Score) -> Score:
    return Score(
        reward_model_id=row.reward_model_id,
        solution_id=row.solution_id,
        log_score=row.log_score,
        step_log_probabilities=row.step_log_probabilities,
    )
