"""The demo world as Solutions JSONL: what a lab would import."""

import json
from collections.abc import Sequence
from pathlib import Path

from labeling.demo.world import DemoProblem


def write_records(world: Sequence[DemoProblem], path: Path) -> None:
    """One solution a line, without verdicts: the import grades the answers."""
    with path.open("w", encoding="utf-8") as file:
        for problem in world:
            shared = {
                "problem": problem.statement,
                "reference_answer": problem.reference_answer,
                "reference_solution": problem.reference_solution,
                "subject": problem.subject,
                "level": str(problem.level),
                "split": problem.split,
            }
            for solution in problem.solutions:
                own = {"id": solution.id, "generator": solution.generator, "steps": solution.steps}
                file.write(json.dumps(shared | own, ensure_ascii=False) + "\n")
