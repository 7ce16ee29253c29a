"""Simulated problems, and solutions sampled from a simulated model whose mistakes are systematic.

Most problems have a trap: a place at which samples always go wrong in the same way, so that their wrong answers agree
and outvote the right one. Some samples also slip elsewhere. `pool` says how a step is rated.
"""

from dataclasses import dataclass
from functools import cached_property
from random import Random

from benchmarks.lab.world import families
from benchmarks.lab.world.families import FAMILIES, Sketch
from benchmarks.lab.world.writing import Trap, Writer

TRIES = 40
TRAPPED = 0.6  # of all problems
PULLS = (0.45, 0.75)  # how many samples of a problem fall into its trap: drawn evenly
AT_THE_FAMILYS_PLACE = 0.5  # of traps: where the family's problems like to go wrong
CHATTINESS = 0.15
WORDINGS = 200  # more than enough to see each of them
STOPS = ("The rest is similar, so I stop here.", "And so on.", "The rest is left to the reader.")


@dataclass(frozen=True)
class Generator:
    """A simulated model: the share of samples that slip, how strongly traps pull it, and the share that stop early."""

    name: str
    slips: float
    pull: float = 1.0
    stops: float = 0.0


WEAK, MEDIUM, STRONG = Generator("weak", 0.3, 1.25), Generator("medium", 0.15), Generator("strong", 0.08, 0.6)
CAREFUL = Generator("careful", 0.03, 0.15)


@dataclass(frozen=True)
class Problem:
    """`pull` is the share of samples that fall into the trap; 0 without one."""

    id: str
    sketch: Sketch
    answer: str
    trap: Trap | None
    pull: float

    @property
    def statement(self) -> str:
        return self.sketch.statement

    @cached_property
    def lines(self) -> list[dict[str, int]]:
        """Returns the wordings of each line of a right solution, each with its rating."""
        writers = [Writer(self.sketch, wording).steps for wording in range(WORDINGS)]
        return [{step.text: step.rating for step in line} for line in zip(*writers, strict=True)]


@dataclass(frozen=True)
class SampledSolution:
    """`ratings` is the truth, one per step. `fell` says that it went into the trap."""

    steps: tuple[str, ...]
    answer: str
    ratings: tuple[int, ...]
    is_right: bool
    fell: bool


def protocol(ratings: tuple[int, ...]) -> tuple[int, ...]:
    """Returns what an annotator rates: the steps up to and including the first negative."""
    return ratings[: ratings.index(-1) + 1] if -1 in ratings else ratings


def make_problems(seed: int, count: int) -> list[Problem]:
    """Makes `count` distinct problems, the families taking turns; a shorter list is a prefix of a longer one."""
    seen: set[str] = set()
    return [_make_problem(seed, index, seen) for index in range(count)]


def _make_problem(seed: int, index: int, seen: set[str]) -> Problem:
    rng = Random(f"{seed} {index}")
    family = index % len(FAMILIES)
    for _ in range(TRIES):
        sketch = families.sketch(FAMILIES[family], rng)
        if sketch.statement not in seen:
            break
    seen.add(sketch.statement)
    answer = Writer(sketch, 0).answer
    trap = _trap(sketch, answer, Random(f"{seed} family {family}"), rng) if rng.random() < TRAPPED else None
    pull = rng.uniform(*PULLS) if trap else 0.0
    return Problem(f"lab-{seed}-{index:05d}", sketch, answer, trap, pull)


def _trap(sketch: Sketch, answer: str, family: Random, rng: Random) -> Trap | None:
    """Draws a trap that ends in a wrong answer; None if there is none."""
    places = Writer(sketch, 0).places - 1
    favourite = family.randrange(places)
    for _ in range(TRIES):
        place = favourite if rng.random() < AT_THE_FAMILYS_PLACE else rng.randrange(places)
        trap = Trap(place, rng.getrandbits(32))
        if Writer(sketch, 0, trap=trap).answer != answer:
            return trap
    return None


def sample(problem: Problem, count: int, seed: int, generator: Generator = MEDIUM) -> list[SampledSolution]:
    """Draws `count` samples; a shorter list is a prefix of a longer one."""
    rng = Random(f"{problem.id} {seed} {generator.name}")
    return [_sample_one(problem, generator, rng) for _ in range(count)]


def _sample_one(problem: Problem, generator: Generator, rng: Random) -> SampledSolution:
    wording, fall, slip = rng.getrandbits(32), rng.random(), rng.random()
    slips = slip < generator.slips
    faults = frozenset({rng.randrange(Writer(problem.sketch, wording).places)} if slips else ())
    trap = problem.trap if fall < problem.pull * generator.pull else None
    writer = Writer(problem.sketch, wording, faults=faults, trap=trap, chattiness=CHATTINESS)
    ratings = tuple(draft.rating for draft in writer.steps)
    steps = tuple(draft.text for draft in writer.steps)
    if generator.stops and rng.random() < generator.stops:
        kept = rng.randint(1, len(steps) - 1)
        return SampledSolution((*steps[:kept], rng.choice(STOPS)), "", (*ratings[:kept], -1), False, trap is not None)
    return SampledSolution(steps, writer.answer, ratings, writer.answer == problem.answer, trap is not None)
