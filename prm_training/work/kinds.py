"""What needs torch, by kind of run. Only workers import this, late, from `tasks`."""

from collections.abc import Callable
from typing import Any

from prm_training.runs import batches
from prm_training.runs.lifecycle import ReportProgress
from prm_training.work import evaluation, scoring, training

ON: dict[str, Callable[[Any, ReportProgress], None]] = {
    "train": training.train,
    "evaluate": evaluation.evaluate,
    "score": scoring.score,
    "generate": training.generate,
}
HELP_WITH: dict[str, Callable[[Any], batches.Work]] = {
    "evaluate": evaluation.help_evaluate,
    "score": scoring.help_score,
}
verify_waiting = training.verify_waiting
write_completions = training.write_completions
