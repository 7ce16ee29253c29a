"""Two rounds by autopilot, labelled over HTTP, equal the same two computed in this process: picks, labels, and models
to the last bit.

Its functions import torch: the product's other tests do without.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from uuid import UUID

import pytest

from benchmarks.lab.world import judges
from benchmarks.lab.world.pool import DemoProblem, DemoSolution, make_world
from benchmarks.lab.world.records import write_records
from benchmarks.loop import label_all
from labeling.data.importing.pool import problem_hash, steps_hash
from prm_training.prm.trees.data import Completion, LabelledTree, Solution, Step
from prm_training.selection.rules import Candidate, Rule, order, pick
from tests.product import world as worlds
from tests.product.words import ANNOTATORS
from tests.product.world import Row, World, until

if TYPE_CHECKING:
    from prm_training.prm.train import TrainReport

pytestmark = [pytest.mark.product, pytest.mark.servers_if_any]

SEED, PROBLEMS, TASKS = 5, 66, 40
HOW = {"epochs": 2, "seed": SEED}
ROUNDS = {"size": TASKS, "per_problem": 1, "wrong_share": 0.8, "seed": SEED}
Text = tuple[str, tuple[str, ...]]  # statement and steps


@dataclass(frozen=True)
class RoundResult:
    """A round's tasks by rank, the step labels so far, and its model's held-out metrics, losses and weights."""

    picked: list[Text]
    labels: int
    held_out: dict[str, float]
    losses: list[float]
    weights: bytes


@pytest.fixture(scope="module")
def made() -> list[DemoProblem]:
    return make_world(SEED, PROBLEMS)


@pytest.fixture(scope="module")
def base(made: Sequence[DemoProblem], tmp_path_factory: pytest.TempPathFactory) -> Path:
    from prm_training.prm import pretrain

    folder: Path = tmp_path_factory.mktemp("base") / "model"
    written = [(problem.statement, one.steps) for problem in made for one in problem.solutions]
    config = pretrain.PretrainConfig(vocabulary=400, hidden=32, layers=2, heads=2, steps=60)
    pretrain.make_base(written, folder, config)
    return folder


def test_the_product_does_what_its_parts_do(made: list[DemoProblem], base: Path, tmp_path: Path) -> None:
    with worlds.running(tmp_path / "product") as world:
        through_product = list(by_autopilot(world, made, base))
    in_process = list(by_its_parts(made, base, tmp_path / "parts"))
    for ours, theirs in zip(through_product, in_process, strict=True):
        assert ours.picked == theirs.picked
        assert ours.labels == theirs.labels
        assert ours.held_out == theirs.held_out
        assert ours.losses == theirs.losses
        assert ours.weights == theirs.weights
    assert through_product[0].picked != through_product[1].picked


def by_autopilot(world: World, made: list[DemoProblem], base: Path) -> Iterator[RoundResult]:
    """Yields the rounds of an autopilot; people label at the same time, in no reproducible order."""
    file = world.product.folder / "world.jsonl"
    write_records(made, file)
    world.product.manage("import", str(file), "--source", "lab")
    phase = world.new_phase("By itself", sources=["lab"])
    settings = {
        "base": str(base),
        "training": HOW,
        **ROUNDS,
        "sets_suspects_aside": False,
        "most_rounds": 2,
        "random_share": 0,
    }
    world.ml_staff.call("PATCH", f"autopilots/{phase['id']}/", settings)
    world.ml_staff.call("POST", f"autopilots/{phase['id']}/on/", {})
    judge = judges.by_truth(made)
    for number in (0, 1):
        until(lambda: is_open(world, phase, number), f"round {number} is open")  # noqa: B023  looked at here alone
        with ThreadPoolExecutor(len(ANNOTATORS)) as pool:
            list(pool.map(lambda name: label_all(world.people[name], phase["id"], judge), ANNOTATORS))
        yield until(lambda: result(world, number), f"the model of round {number}")  # noqa: B023


def is_open(world: World, phase: Row, number: int) -> bool:
    pilot = world.ml_staff.call("GET", f"autopilots/{phase['id']}/")
    assert pilot["status"] == "on", pilot["reason"]
    return any((row["number"], row["status"]) == (number, "open") for row in world.rounds(phase))


def result(world: World, number: int) -> RoundResult | None:
    """Returns the round's result, or None until its training is done."""
    runs = sorted(world.ml_staff.every("training-runs/"), key=lambda run: str(run["created_at"]))
    if len(runs) <= number or runs[number]["status"] != "done":
        return None
    run = world.look_at_run(runs[number])
    selections = sorted(world.ml_staff.every("selections/"), key=lambda each: str(each["created_at"]))
    items = world.ml_staff.every(f"selections/{selections[number]['id']}/items/")
    (saved,) = world.product.folder.rglob(f"{run['id']}/model/model.safetensors")
    return RoundResult(
        picked=[(item["problem_statement"], tuple(item["steps"])) for item in items],
        labels=run["snapshot"]["counts"]["labels"],
        held_out=run["metrics"]["held_out"],
        losses=[loss for _, loss in run["loss_curve"]],
        weights=saved.read_bytes(),
    )


@dataclass(frozen=True)
class Pooled:
    problem: DemoProblem
    solution: DemoSolution

    @property
    def text(self) -> Text:
        return self.problem.statement, self.solution.steps

    def candidate(self, score: float | None) -> Candidate:
        """Returns a candidate with an id of its own; ids only break ties of equal scores."""
        answer, reference = self.solution.answer, self.problem.reference_answer
        verdict = "right" if answer == reference else "wrong" if answer else "unsure"
        pk, problem = (UUID(int=Random(name).getrandbits(128)) for name in (self.solution.id, self.problem.id))
        hashes = {
            "text_hash": steps_hash(self.solution.steps),
            "problem_hash": problem_hash(self.problem.statement),
        }
        return Candidate(pk, problem, verdict, score, **hashes)

    def tree(self) -> LabelledTree:
        ratings = judges.until_first_negative(self.solution.ratings)
        rated = zip(self.solution.steps, ratings, strict=False)
        steps = tuple(Step((Completion(text, rating),), 0) for text, rating in rated)
        return LabelledTree(self.solution.id, self.problem.id, self.problem.split, self.problem.statement, steps)


def by_its_parts(made: list[DemoProblem], base: Path, folder: Path) -> Iterator[RoundResult]:
    """Yields the same rounds: a uniform one, a model, a convincing one by its scores, and a model of both."""
    import torch

    from prm_training.prm import train as training
    from prm_training.prm.score import score_solutions

    torch.set_num_threads(1)  # as the product's worker
    left = {pooled.text: pooled for pooled in (Pooled(problem, one) for problem in made for one in problem.solutions)}
    labelled: list[Pooled] = []
    scores: dict[Text, float] = {}
    for number, policy in enumerate(("uniform", "convincing")):
        picked = [left.pop(text) for text in picks(left, scores, policy, SEED + number)]
        labelled += picked
        trees = sorted((one.tree() for one in labelled), key=lambda tree: (tree.problem, repr(tree.steps)))
        report = training.train(trees, base, folder / str(number), training.TrainConfig(**HOW))
        yield what_came(report, picked, trees)
        asked = [Solution(str(place), *text) for place, text in enumerate(left)]
        scored = score_solutions(report.model_dir, asked)
        scores = {text: found.score or 0.0 for text, found in zip(left, scored, strict=True)}


def picks(left: dict[Text, Pooled], scores: dict[Text, float], policy: str, seed: int) -> list[Text]:
    rule = Rule(policy, TASKS, None if policy == "uniform" else 1, 0.8, seed)
    candidates = {one.candidate(scores.get(text)): text for text, one in left.items()}
    ranked = sorted(candidates, key=order(rule))
    found = pick(lambda verdicts: (each for each in ranked if each.verdict in verdicts), rule)
    return [candidates[each.candidate] for each in found]


def what_came(report: TrainReport, picked: Sequence[Pooled], trees: Sequence[LabelledTree]) -> RoundResult:
    return RoundResult(
        picked=[one.text for one in picked],
        labels=sum(len(tree.steps) for tree in trees),
        held_out=report.metrics,
        losses=report.losses,
        weights=(report.model_dir / "model.safetensors").read_bytes(),
    )
