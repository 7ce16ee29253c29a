"""The demo world: problems of several kinds, right and wrong solutions, and the true rating of every step.

Everything is made from a seed; a world of 100 problems is the beginning of that of 200 with the same seed.

Ratings. The first mistake is rated -1 and, as in the protocol, is where an annotator stops. Later steps carry
a rating too: that of their own reasoning, granted what came before; but a last step with a wrong answer is
always -1.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

from benchmarks.lab import families
from benchmarks.lab.families import FAMILIES, Family, Sketch
from benchmarks.lab.writing import Writer, WrittenStep

TRIES = 40
STOPS = ("The rest is similar, so I stop here.", "And so on.", "The rest is left to the reader.")

Plan = Literal["right", "lucky", "wrong", "last_slip", "stops_early", "trails_off"]


@dataclass(frozen=True)
class Generator:
    """A pretend model: how often it plans each kind of solution, and how chatty it is."""

    name: str
    weights: tuple[int, int, int, int, int, int]  # in the order of PLANS
    chattiness: float


PLANS: tuple[Plan, ...] = ("right", "lucky", "wrong", "last_slip", "stops_early", "trails_off")
GENERATORS = (
    Generator("demo-small", (32, 6, 44, 7, 7, 4), 0.08),
    Generator("demo-medium", (44, 6, 35, 6, 6, 3), 0.16),
    Generator("demo-large", (56, 5, 27, 5, 4, 3), 0.12),
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


def make_world(seed: int, problems: int, solutions_per_problem: int = 6) -> list[DemoProblem]:
    """``problems`` different problems, every fifth of which is in the test split."""
    seen: set[str] = set()
    return [_make_problem(seed, index, solutions_per_problem, seen) for index in range(problems)]


def _make_problem(seed: int, index: int, count: int, seen: set[str]) -> DemoProblem:
    rng = Random(seed * 1_000_003 + index)
    sketch = _new_sketch(FAMILIES[index % len(FAMILIES)], rng, seen)
    identity = f"demo-{seed}-{index:05d}"
    reference = Writer(sketch, rng.getrandbits(32))
    solutions: list[DemoSolution] = []
    for number in range(count):
        solutions.append(_new_solution(sketch, reference.answer, f"{identity}-{number}", rng, solutions))
    return DemoProblem(
        id=identity,
        statement=sketch.statement,
        reference_answer=reference.answer,
        reference_solution="\n\n".join(draft.text for draft in reference.steps),
        subject=sketch.family.subject,
        level=sketch.family.level,
        split="test" if (index // len(FAMILIES)) % 5 == 4 else "train",
        solutions=tuple(solutions),
    )


def _new_sketch(family: Family, rng: Random, seen: set[str]) -> Sketch:
    """A problem not seen before; very large worlds run out of new ones and repeat."""
    for _ in range(TRIES):
        sketch = families.sketch(family, rng)
        if sketch.statement not in seen:
            break
    seen.add(sketch.statement)
    return sketch


def _new_solution(sketch: Sketch, right: str, identity: str, rng: Random, others: list[DemoSolution]) -> DemoSolution:
    """A solution in the words of a random generator, unlike the others where that can be had."""
    generator = rng.choice(GENERATORS)
    plan: Plan = rng.choices(PLANS, generator.weights)[0]
    for _ in range(TRIES):
        drafts, answer = _write(sketch, right, plan, generator.chattiness, rng)
        steps = tuple(draft.text for draft in drafts)
        if all(other.steps != steps for other in others):
            break
    ratings = tuple(draft.rating for draft in drafts)
    if answer != right:
        ratings = (*ratings[:-1], -1)
    return DemoSolution(id=identity, steps=steps, answer=answer, ratings=ratings, generator=generator.name)


def _write(sketch: Sketch, right: str, plan: Plan, chattiness: float, rng: Random) -> tuple[list[WrittenStep], str]:
    if plan in ("lucky", "wrong", "last_slip"):
        return _write_faulty(sketch, right, plan, chattiness, rng)
    writer = Writer(sketch, rng.getrandbits(32), chattiness=chattiness)
    if plan == "right":
        return writer.steps, writer.answer
    halfway = [index for index, draft in enumerate(writer.steps[:-2]) if draft.result]
    if plan == "stops_early" and halfway:  # with a number from halfway, as if the question had been another one
        at = rng.choice(halfway)
        answer = writer.steps[at].result
        return [*writer.steps[: at + 1], WrittenStep(f"That is all.\n\n# Answer\n\n{answer}", -1)], answer
    return [*writer.steps[: rng.randint(1, len(writer.steps) - 2)], WrittenStep(rng.choice(STOPS), -1)], ""


def _write_faulty(
    sketch: Sketch, right: str, plan: Plan, chattiness: float, rng: Random
) -> tuple[list[WrittenStep], str]:
    """Try faults until the outcome is the planned one; after many tries, take what came out last."""
    for _ in range(TRIES):
        seed = rng.getrandbits(32)
        last = Writer(sketch, seed).places - 1
        places = {last} if plan == "last_slip" else {rng.randrange(last)}
        if rng.random() < 0.2 and plan != "last_slip":
            places.add(rng.randrange(last))
        writer = Writer(sketch, seed, faults=frozenset(places), chattiness=chattiness)
        is_lucky = writer.answer == right
        if is_lucky == (plan == "lucky") and any(draft.rating < 0 for draft in writer.steps):
            break
    return writer.steps, writer.answer
