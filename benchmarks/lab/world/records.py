"""Writes a world as Solutions JSONL, the format of imports.

``python -m benchmarks.lab.world.records`` writes the file that `make demo` reads; its ``ratings`` are the truth, which
the import leaves aside.
"""

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.lab.world.pool import DemoProblem, make_world

DEMO = Path(__file__).parents[3] / "stepmark" / "demo" / "world.jsonl.gz"
SEED, PROBLEMS, TEST_SOLUTIONS = 1, 400, 20


def records(world: Sequence[DemoProblem]) -> Iterator[dict[str, Any]]:
    """Yields a record for each solution, without verdicts: the import grades the answers."""
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
            yield shared | {"id": solution.id, "generator": solution.generator, "steps": solution.steps}


def write_records(world: Sequence[DemoProblem], path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        for record in records(world):
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def demo() -> bytes:
    """Returns the file of `make demo`, gzipped; the same bytes each time."""
    world = make_world(seed=SEED, problems=PROBLEMS, test_solutions=TEST_SOLUTIONS)
    ratings = [solution.ratings for problem in world for solution in problem.solutions]
    lines = (
        json.dumps(record | {"ratings": true}, ensure_ascii=False) + "\n"
        for record, true in zip(records(world), ratings, strict=True)
    )
    return gzip.compress("".join(lines).encode(), mtime=0)


if __name__ == "__main__":
    DEMO.write_bytes(demo())
