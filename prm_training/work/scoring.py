"""Scores, from rows through torch to rows: a batch of whole problems at a time, by one worker or by many."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from itertools import chain
from statistics import fmean
from typing import Any
from uuid import UUID

from django.db.models import Count

from labeling.jobs import batches, files
from labeling.jobs.batches import BatchResult, BatchWork, Share
from labeling.jobs.lifecycle import ReportProgress
from labeling.models import Batch
from prm_training.models import RewardModel, Score, ScoringRun
from prm_training.prm import loading
from prm_training.prm import model as models
from prm_training.prm.score import ScoreConfig, SolutionScore, score_solutions
from prm_training.prm.trees import data
from prm_training.starting.readiness import unscored_by
from prm_training.work.training import resolved_reading, verifying_between

# Solutions in a batch, apart from the rest of its last problem; a small pool is cut into about MANY batches.
SMALLEST, LARGEST, MANY = 64, 512, 256
AT_ONCE = 2048  # solutions in memory


def score(run: ScoringRun, report: ReportProgress) -> None:
    """Scores what the model has not scored yet. A retry keeps the batches that earlier attempts stored."""
    report = verifying_between(run, report)
    # A later attempt keeps the cut of the first: what is done stays done.
    if not run.batches.exists():
        batches.cut(run, list(shares_of(_unscored(run))))
    report(stage="loading the model", total=run.batches.progress()["total"])
    network = network_of(run.reward_model)
    report(stage="scoring", resolved=resolved_reading(run, network, reading_of(run.reward_model)))
    batches.share(run, report, partial(_score_batch, run, lambda: network), stage="scoring")
    found = Counter[str](scored=0, too_long=0)
    for result in run.batches.values_list("result", flat=True):
        found.update(result)
    report(stage="done", done=found["scored"], total=found["scored"], summary=dict(found))


def help_score(run: ScoringRun) -> BatchWork:
    """Returns the work on batches; the model is loaded once, at the first batch."""
    return partial(_score_batch, run, cache(lambda: network_of(run.reward_model)))


def _score_batch(run: ScoringRun, network: Any, batch: Batch) -> BatchResult:
    first, last = batch.work["first_problem"], batch.work["last_problem"]
    return scores_of(run.reward_model, network(), _unscored(run).filter(problem__gte=first, problem__lte=last))


def _unscored(run: ScoringRun) -> Any:
    return unscored_by(run.reward_model, *([run.phase] if run.phase else []))


def shares_of(unscored: Any) -> Iterator[Share]:
    """Yields the shares of work, cut between problems, since the solutions of one share their prefixes."""
    for counts in chunks(unscored):
        work = {"first_problem": str(counts[0][0]), "last_problem": str(counts[-1][0])}
        yield sum(count for _, count in counts), work


def chunks(unscored: Any) -> Iterator[list[tuple[UUID, int]]]:
    """Groups (problem, number of its solutions), in order, into batches.

    The cut, and so the scores to the last bit, depend on the solutions alone, not on the workers.
    """
    size = min(LARGEST, max(SMALLEST, unscored.count() // MANY))
    together, solutions = [], 0
    counts = unscored.order_by("problem").values_list("problem").annotate(Count("pk"))
    for problem, count in counts.iterator():
        together.append((problem, count))
        solutions += count
        if solutions >= size:
            yield together
            together, solutions = [], 0
    if together:
        yield together


def network_of(reward_model: RewardModel) -> models.StepClassifier:
    return loading.load_reward_model(files.model_folder(reward_model.directory))


def reading_of(reward_model: RewardModel) -> ScoreConfig:
    """Returns the settings by which the model reads: an ORM has learned to judge at the last step only."""
    return ScoreConfig(aggregate="last" if reward_model.is_orm else "product", window=AT_ONCE)


def scores_of(reward_model: RewardModel, network: models.StepClassifier, unscored: Any) -> BatchResult:
    config = reading_of(reward_model)
    found = score_solutions(network, chain.from_iterable(_pages(unscored)), config)
    scores = [_row(reward_model, scored) for scored in found]
    return BatchResult({"scored": len(scores), "too_long": sum(row.log_score is None for row in scores)}, scores)


def _pages(unscored: Any) -> Iterator[list[data.Solution]]:
    """Yields pages of solutions, those of one problem together, so that they share their prefixes."""
    rows = unscored.select_related("problem").order_by("problem", "pk")
    found = list(rows[:AT_ONCE])
    while found:
        yield [
            data.Solution(str(row.pk), row.problem.text_read, tuple(row.steps), tuple(row.contexts)) for row in found
        ]
        last = found[-1]
        # The next page begins after the last row, in the order of two columns. An offset would read everything before
        # it again.
        later = rows.filter(problem__gte=last.problem_id).exclude(problem=last.problem_id, pk__lte=last.pk)
        found = list(later[:AT_ONCE])


def _row(reward_model: RewardModel, scored: SolutionScore) -> Score:
    """Makes the row of a solution. One too long to be read to its end has no score: it can't be convincing."""
    is_read = not scored.is_truncated and scored.steps
    return Score(
        reward_model=reward_model,
        solution_id=UUID(scored.id),
        log_score=None if scored.is_truncated else scored.score,
        mean_log_score=fmean(scored.steps) if is_read else None,
        least_log_score=min(scored.steps) if is_read else None,
        step_log_probabilities=list(scored.steps),
        confidence=scored.certainty.confidence if scored.certainty else None,
        deviation=scored.certainty.deviation if scored.certainty else None,
    )
