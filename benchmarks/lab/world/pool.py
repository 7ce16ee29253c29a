"""The demo world's pool: problems, each with solutions of three simulated models.

Everything is drawn from a seed; a world of 100 problems is the beginning of that of 200 with the same seed.

Ratings. The first mistake is rated -1 and, as in the protocol, is where an annotator stops. Later steps carry a rating
too: that of their own reasoning, granted what came before; but a last step with a wrong answer is always -1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from benchmarks.lab.world.families import FAMILIES
from benchmarks.lab.world.sampling import Generator, Problem, SampledSolution, make_problems, sample
from benchmarks.lab.world.writing import Writer

GENERATORS = (
    Generator("demo-small", slips=0.25, pull=1.1, stops=0.08),
    Generator("demo-medium", slips=0.15, stops=0.05),
    Generator("demo-large", slips=0.08, pull=0.8, stops=0.03),
)


@dataclass(frozen=True)
class DemoSolution:
    """One attempt; ``ratings`` is the truth, one per step; ``answer`` is empty where none is given."""

    id: str
    steps: tuple[str, ...]
    answer: str
    ratings: tuple[int, ...]
    generator: str


@dataclass(frozen=True)
class DemoProblem:
    """One problem with its solutions."""

    id: str
    statement: str
    reference_answer: str
    reference_solution: str
    subject: str
    level: int
    split: Literal["train", "test"]
    solutions: tuple[DemoSolution, ...]


def make_world(seed: int, problems: int, solutions: int = 6, *, test_solutions: int = 6) -> list[DemoProblem]:
    """Makes ``problems`` distinct problems, every fifth in the test split, with so many distinct solutions each."""
    return [
        _demo_problem(problem, index, solutions, test_solutions)
        for index, problem in enumerate(make_problems(seed, problems))
    ]


def _demo_problem(problem: Problem, index: int, solutions: int, test_solutions: int) -> DemoProblem:
    is_test = (index // len(FAMILIES)) % 5 == 4
    family = problem.sketch.family
    return DemoProblem(
        id=problem.id,
        statement=problem.statement,
        reference_answer=problem.answer,
        reference_solution="\n\n".join(draft.text for draft in Writer(problem.sketch, 0).steps),
        subject=family.subject,
        level=family.level,
        split="test" if is_test else "train",
        solutions=_solutions(problem, test_solutions if is_test else solutions),
    )


def _solutions(problem: Problem, count: int) -> tuple[DemoSolution, ...]:
    """Samples from the generators in turn, dropping duplicates."""
    turns = zip(*(sample(problem, count, 1, generator) for generator in GENERATORS), strict=True)
    drawn = [(one, generator.name) for turn in turns for one, generator in zip(turn, GENERATORS, strict=True)]
    different = list({one.steps: (one, name) for one, name in reversed(drawn)}.values())[::-1][:count]
    return tuple(
        DemoSolution(f"{problem.id}-{number}", one.steps, one.answer, _ratings(one), name)
        for number, (one, name) in enumerate(different)
    )


def _ratings(one: SampledSolution) -> tuple[int, ...]:
    return one.ratings if one.is_right else (*one.ratings[:-1], -1)
