"""Evaluations, from rows through torch to rows: held-out labels, and the pool's problems that were not trained on."""

import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache, partial
from itertools import chain, compress, groupby, islice
from operator import attrgetter, itemgetter
from typing import Any, cast
from uuid import UUID

from django.db.models import Count, QuerySet

from labeling.grading import voting
from labeling.jobs import batches
from labeling.jobs.batches import BatchResult, BatchWork, Share
from labeling.jobs.lifecycle import ReportProgress
from labeling.models import Batch, Phase, Sample, Split, Verdict
from labeling.models import Solution as PoolSolution
from labeling.rules.intervals import RESAMPLES
from prm_training.models import EvaluationRun, RewardModel, Score, Supervision
from prm_training.prm import model as models
from prm_training.prm.metrics.evaluate import ScoredSample
from prm_training.prm.metrics.uncertainty import HeldOut
from prm_training.prm.score import ScoreConfig, SolutionScore, score_solutions
from prm_training.prm.trees.data import LabelledTree, Solution, counted_labels
from prm_training.reward_models import promotion
from prm_training.starting.readiness import graded_of, unscored_by
from prm_training.work import metrics
from prm_training.work.scoring import AT_ONCE, chunks, network_of, reading_of, scores_of
from prm_training.work.training import resolved_reading, trees_of, verifying_between

MOST_PROBLEMS = 1000
ENOUGH_PROBLEMS = 50
LABELS_AT_ONCE = 512


def evaluate(run: EvaluationRun, report: ReportProgress) -> None:
    """Measures the model and its baseline on the same labels, of problems that neither was trained on; then best-of-N.

    Each attempt decides anew what to score, shares that out in batches, and computes the metrics at the end.
    """
    report = verifying_between(run, report)
    report(stage="reading the labels")
    # A problem that either model was trained on would favour that one.
    trained_on = _trained_on(run.reward_model) | (_trained_on(run.baseline) if run.baseline else set())
    trees = _by_problem(tree for tree in _held_out(run) if tree.group not in trained_on)
    judges = [run.baseline, run.reward_model] if run.baseline else [run.reward_model]
    rival = _rival(run.reward_model, run.phase)
    contenders = [run.reward_model, rival] if rival else [run.reward_model]
    problems = _problems(run.phase, trained_on | (_trained_on(rival) if rival else set()))
    network = cache(network_of)
    report(stage="reading the labels", resolved=_resolved(run, network(run.reward_model)))
    on_labels = [_label_shares(model, trees) for model in judges]
    on_pool = [_pool_shares(model, run.phase, problems) for model in contenders]
    batches.cut(run, list(chain(*on_labels, *on_pool)))
    batches.share(run, report, partial(_read_batch, run, network, lambda: trees), stage="scoring")
    *before, found = _of_labels(run, judges, trees)
    found["best_of_n"] = _of_pool(contenders, run.phase, problems)
    report(stage="done", metrics=found, baseline_metrics=before[0] if before else {})
    run.batches.all().delete()


def help_evaluate(run: EvaluationRun) -> BatchWork:
    return partial(_read_batch, run, cache(network_of), cache(lambda: _held_out(run)))


def _read_batch(
    run: EvaluationRun,
    network: Callable[[RewardModel], models.StepClassifier],
    held_out: Callable[[], list[LabelledTree]],
    batch: Batch,
) -> BatchResult:
    """Scores only what the batch names: just the run's own worker knows which problems may be read."""
    model = RewardModel.objects.select_related("training_run").get(pk=batch.work["reward_model"])
    if groups := batch.work.get("groups"):
        return _read_labels(network(model), _by_problem(tree for tree in held_out() if tree.group in groups))
    unscored = unscored_by(model, run.phase).filter(problem__in=batch.work["problems"])
    return scores_of(model, network(model), unscored)


def _held_out(run: EvaluationRun) -> list[LabelledTree]:
    """The phase's own held-out labels: those of other phases that a model learns from decide nothing in this one."""
    trees = [tree for tree in trees_of(run.snapshot) if tree.split == "test"]
    own = _ids_of(run, trees)
    return [tree for tree in trees if tree.id in own]


def _ids_of(run: EvaluationRun, held_out: Sequence[LabelledTree]) -> set[str]:
    """The ids of the phase's labels in the snapshot: its labellings', and its tasks' for rulings and consensuses.

    A snapshot of verdicts has no labellings: the ids are those of the solutions that the phase draws from.
    """
    if run.snapshot.labellings.exists():
        labellings = run.snapshot.labellings.filter(task__round__phase=run.phase)
        return {str(pk) for pair in labellings.values_list("pk", "task") for pk in pair}
    drawn = PoolSolution.objects.drawn_by(run.phase).filter(pk__in=[tree.id for tree in held_out])
    return set(map(str, drawn.values_list("pk", flat=True)))


def _by_problem(trees: Iterable[LabelledTree]) -> list[LabelledTree]:
    return sorted(trees, key=attrgetter("group"))


def _resolved(run: EvaluationRun, network: models.StepClassifier) -> dict[str, Any]:
    found = resolved_reading(run, network, reading_of(run.reward_model))
    return found | {"snapshot": run.snapshot.labels_hash, "resamples": RESAMPLES}


def _rival(reward_model: RewardModel, phase: Phase) -> RewardModel | None:
    """The phase's other model to choose with on the same problems: for a PRM the newest ORM, for an ORM the current
    PRM.
    """
    if reward_model.is_orm:
        return promotion.current(phase)
    orms = RewardModel.objects.filter(training_run__phase=phase, training_run__supervision=Supervision.OUTCOME)
    return orms.order_by("-created_at").first()


def _trained_on(reward_model: RewardModel) -> set[str]:
    snapshot = reward_model.training_run.snapshot
    return {tree.group for tree in trees_of(snapshot) if tree.split == "train"} if snapshot else set()


def _label_shares(model: RewardModel, trees: Sequence[LabelledTree]) -> Iterator[Share]:
    """Cuts the labels into shares of whole problems, since labels of one problem share prefixes."""
    groups, size = [], 0
    for group, same in groupby(trees, key=attrgetter("group")):
        groups.append(group)
        size += sum(map(len, _items_to_read(list(same))))
        if size >= LABELS_AT_ONCE:
            yield size, {"reward_model": str(model.pk), "groups": groups}
            groups, size = [], 0
    if groups:
        yield size, {"reward_model": str(model.pk), "groups": groups}


def _pool_shares(model: RewardModel, phase: Phase, problems: Sequence[UUID]) -> Iterator[Share]:
    for counts in chunks(unscored_by(model, phase).filter(problem__in=problems)):
        work = {"reward_model": str(model.pk), "problems": [str(problem) for problem, _ in counts]}
        yield sum(count for _, count in counts), work


def _items_to_read(trees: Sequence[LabelledTree]) -> tuple[list[Any], list[Any]]:
    """Splits the trees into items to read: each counted label, and each whole path with its first error."""
    labels = [(tree, label) for tree in trees for label in counted_labels(tree)]
    paths = [(tree, *path) for tree in trees if (path := metrics.chosen_path(tree))]
    return labels, paths


def _read_labels(network: models.StepClassifier, trees: Sequence[LabelledTree]) -> BatchResult:
    """The log-probabilities of each label, and of the steps of each path; null for what is too long to read."""
    labels, paths = _items_to_read(trees)
    texts = chain(
        ((tree.problem, label.steps, label.contexts) for tree, label in labels),
        ((tree.problem, steps, tree.contexts) for tree, steps, _ in paths),
    )
    solutions = (Solution(str(number), *each) for number, each in enumerate(texts))
    scores = list(score_solutions(network, solutions, ScoreConfig(window=AT_ONCE)))
    return BatchResult(
        {
            "labels": [_unless_cut(each, each.log_probabilities[-1:]) for each in scores[: len(labels)]],
            "paths": [_unless_cut(each, each.steps) for each in scores[len(labels) :]],
        }
    )


def _unless_cut(score: SolutionScore, read: Sequence[Any]) -> list[Any] | None:
    return None if score.steps_left_out else list(read)


def _of_labels(
    run: EvaluationRun, judges: Sequence[RewardModel], trees: Sequence[LabelledTree]
) -> list[dict[str, Any]]:
    """Metrics of each model on the labels that all of them can read, with 95 % intervals; the last one compared with
    the first.
    """
    number = {group: place for place, group in enumerate(dict.fromkeys(tree.group for tree in trees))}
    labels, paths = _items_to_read(trees)
    results = [_results(run, model) for model in judges]
    # Only what all models could read to the end, so that both are measured on the same labels.
    is_read = [None not in each for each in zip(*(of_labels for of_labels, _ in results), strict=True)]
    is_followed = [None not in each for each in zip(*(of_paths for _, of_paths in results), strict=True)]
    read, followed = list(compress(labels, is_read)), list(compress(paths, is_followed))
    found = []
    for of_labels, of_paths in results:
        held = HeldOut(
            rows=[tuple(row) for (row,) in compress(of_labels, is_read)],
            classes=[label.rating + 1 for _, label in read],
            of_label=[number[tree.group] for tree, _ in read],
            places=[len(label.steps) for _, label in read],
            paths=[[math.exp(step) for step in steps] for steps in compress(of_paths, is_followed)],
            first_errors=[first_error for _, _, first_error in followed],
            # By the checksum of the problem's text: all solutions of a problem are in one half, so that a threshold is
            # never chosen on the problems it is measured on.
            folds=[zlib.crc32(tree.problem.encode()) % 2 for tree, _, _ in followed],
            of_path=[number[tree.group] for tree, _, _ in followed],
        )
        found.append(held)
    return metrics.of_held_out(found, problems=len(number), labels_left_out=len(labels) - len(read))


def _results(run: EvaluationRun, model: RewardModel) -> tuple[list[Any], list[Any]]:
    """The results for all labels and for all paths, in order."""
    own = run.batches.filter(work__reward_model=str(model.pk), work__has_key="groups").order_by("number")
    results = list(own.values_list("result", flat=True))
    labels, paths = (list(chain.from_iterable(each[name] for each in results)) for name in ("labels", "paths"))
    return labels, paths


def _problems(phase: Phase, trained_on: set[str]) -> list[UUID]:
    """Some of the problems of the phase's sources with graded solutions, none of them trained on. Those of split `test`
    where there are enough with a choice: no model is trained on them, so every round is measured on the same ones.
    """
    graded = graded_of(phase)
    of_test = graded.filter(problem__split=Split.TEST)
    with_choice = of_test.order_by("problem").values("problem").annotate(n=Count("pk")).filter(n__gt=1)
    if len(with_choice[:ENOUGH_PROBLEMS]) == ENOUGH_PROBLEMS:
        graded = of_test
    ids = graded.order_by("problem").values_list("problem", flat=True).distinct()
    with closing(cast(Any, ids.iterator())) as known:  # an open cursor would keep SQLite from writing
        return list(islice((pk for pk in known if str(pk) not in trained_on), MOST_PROBLEMS))


def _of_pool(contenders: Sequence[RewardModel], phase: Phase, problems: Sequence[UUID]) -> dict[str, Any]:
    """Measures each way of choosing among a problem's graded solutions, on the phase's sources.

    The first contender is measured, the other one compared with it.
    """
    samples = {}
    drawn = Sample.objects.drawn_by(phase).filter(solution__problem__in=problems).numbers()
    for reward_model in contenders:
        found = _samples(reward_model, graded_of(phase).filter(problem__in=problems), drawn)
        samples["orm" if reward_model.is_orm else "prm"] = [found.get(pk, []) for pk in problems]
    name, *_ = samples
    return metrics.of_choosing(samples.pop(name), name=name, others=samples)


def _samples(
    reward_model: RewardModel, graded: QuerySet[PoolSolution], drawn: Mapping[UUID, int]
) -> dict[UUID, list[ScoredSample]]:
    """The scored solutions by problem, by log score, each as often as it was drawn. Ties are broken by the hash of the
    text, which carries no information about the solution.
    """
    rows = Score.objects.filter(reward_model=reward_model, log_score__isnull=False, solution__in=graded)
    rows = rows.order_by("solution__problem", "solution__text_hash")
    columns = ("solution__problem", "solution", "log_score", "solution__answer", "solution__verdict")
    # All are read before any is compared: an open cursor would keep SQLite from writing.
    found = {
        problem: [
            each
            for _, pk, score, answer, verdict in scored
            for each in [(score, answer, verdict == Verdict.RIGHT)] * drawn.get(pk, 1)
        ]
        for problem, scored in groupby(rows.values_list(*columns).iterator(), key=itemgetter(0))
    }
    return {problem: _voting(scored) for problem, scored in found.items()}


def _voting(scored: Sequence[tuple[float, str, bool]]) -> list[ScoredSample]:
    """A problem's samples; wrong answers that the grader calls equal get equal texts."""
    names = voting.named(answer for _, answer, is_right in scored if not is_right)
    return [ScoredSample(score, names.get(answer, ""), is_right) for score, answer, is_right in scored]
