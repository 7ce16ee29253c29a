"""The work that needs torch, by kind of run. Only workers import this, late, from `tasks`."""

from collections.abc import Callable
from typing import Any

import torch

from labeling.jobs import batches
from labeling.jobs.lifecycle import ReportProgress
from prm_training.models import EvaluationRun, Generation, PolicyReplay, ScoringRun, TrainingRun
from prm_training.work import evaluation, policy_replay, scoring, training

WORK: dict[str, Callable[[Any, ReportProgress], None]] = {
    TrainingRun.KIND: training.train,
    EvaluationRun.KIND: evaluation.evaluate,
    ScoringRun.KIND: scoring.score,
    Generation.KIND: training.generate,
    PolicyReplay.KIND: policy_replay.replay,
}
HELP_WITH: dict[str, Callable[[Any], batches.BatchWork]] = {
    EvaluationRun.KIND: evaluation.help_evaluate,
    ScoringRun.KIND: scoring.help_score,
}
verify_waiting = training.verify_waiting
write_completions = training.write_completions
# PyTorch keeps the memory that a run has used, which another process on this GPU would lack.
free_memory = torch.cuda.empty_cache
