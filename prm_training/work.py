"""What needs torch, by kind of run. `tasks` imports this late, in workers; no web process does."""

from collections.abc import Callable
from typing import Any

from prm_training import batches, evaluation, execution, scoring
from prm_training.lifecycle import Report

ON: dict[str, Callable[[Any, Report], None]] = {
    "train": execution.train,
    "evaluate": evaluation.evaluate,
    "score": scoring.score,
    "generate": execution.generate,
}
HELP_WITH: dict[str, Callable[[Any], batches.Work]] = {
    "evaluate": evaluation.help_evaluate,
    "score": scoring.help_score,
}
verify_waiting = execution.verify_waiting
write_completions = execution.write_completions
