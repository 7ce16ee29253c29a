"""Scores: exact values, independent of order and padding, in constant memory."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from prm_training.prm import loading
from prm_training.prm.model import StepClassifier
from prm_training.prm.pretrain import WrittenSolution
from prm_training.prm.progress import Progress
from prm_training.prm.score import ScoreConfig, SolutionScore, log_right, score_solutions
from prm_training.prm.trees import attention
from prm_training.prm.trees.data import Solution


@pytest.fixture(scope="module")
def solutions(texts: list[WrittenSolution]) -> list[Solution]:
    """Returns three solutions a problem, which begin alike."""
    return [
        Solution(f"{number}-{kind}", problem, (*steps[:1], *more))
        for number, (problem, steps) in enumerate(texts[:8])
        for kind, more in enumerate([tuple(steps[1:]), ("Let us go on.",), ("So 7.", "No, 8.")])
    ]


def scores(model: StepClassifier, solutions: list[Solution], **settings: object) -> dict[str, SolutionScore]:
    config = ScoreConfig(**settings)  # type: ignore[arg-type]
    return {score.id: score for score in score_solutions(model, solutions, config)}


def assert_close(left: dict[str, SolutionScore], right: dict[str, SolutionScore]) -> None:
    assert left.keys() == right.keys()
    for name, score in left.items():
        assert right[name].steps == pytest.approx(score.steps, abs=1e-5)


def test_scores_come_in_order_with_one_number_a_step(model: StepClassifier, solutions: list[Solution]) -> None:
    found = list(score_solutions(model, solutions))
    assert [score.id for score in found] == [solution.id for solution in solutions]
    assert [len(score.steps) for score in found] == [len(solution.steps) for solution in solutions]
    assert not any(score.is_truncated for score in found)


@pytest.mark.parametrize("reads_after", [False, True])
@pytest.mark.parametrize("contexts", [(), ("Result: 3 + 4 = 7.", "", "Result: no.")])
def test_a_score_is_that_of_one_plain_row(
    model: StepClassifier,
    solutions: list[Solution],
    contexts: tuple[str, ...],
    reads_after: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(model.encoder, "reads_after", reads_after)
    solutions = [replace(solution, contexts=contexts) for solution in solutions]
    found = scores(model, solutions)
    for solution in solutions:
        encoded = model.encoder.encode(solution.problem, solution.steps, contexts)
        with attention.plain(model.network) as network:
            logits = network(torch.tensor([encoded.ids])).logits[0, encoded.step_ends]  # (steps, 3)
        expected = torch.log_softmax(logits, dim=-1)
        torch.testing.assert_close(torch.tensor(found[solution.id].log_probabilities), expected, atol=1e-5, rtol=0)
        right = (expected[:, 1].exp() + expected[:, 2].exp()).log()
        assert found[solution.id].score == pytest.approx(right.sum().item(), abs=1e-4)


def test_padding_windows_and_order_never_change_a_score(model: StepClassifier, solutions: list[Solution]) -> None:
    expected = scores(model, solutions)
    shuffled = random.Random(3).sample(solutions, len(solutions))
    assert_close(expected, scores(model, shuffled))
    assert_close(expected, scores(model, solutions, window=1))
    assert_close(expected, scores(model, shuffled, window=5, tokens_per_pass=100))


def test_the_same_call_gives_the_same_bits(model: StepClassifier, solutions: list[Solution]) -> None:
    assert scores(model, solutions) == scores(model, solutions)


def test_product_and_minimum_and_neutral(model: StepClassifier, solutions: list[Solution]) -> None:
    product = scores(model, solutions)
    minimum, last = (scores(model, solutions, aggregate=name) for name in ("minimum", "last"))
    strict = scores(model, solutions, neutral_is_positive=False)
    for solution in solutions:
        name = solution.id
        assert product[name].score == pytest.approx(sum(product[name].steps))
        assert minimum[name].score == min(product[name].steps)
        assert last[name].score == product[name].steps[-1]
        assert strict[name].steps == pytest.approx([row[2] for row in product[name].log_probabilities], abs=1e-5)


def test_near_certainty_does_not_saturate() -> None:
    logits = torch.tensor([[-20.0, 0.0, 20.0], [-21.0, 0.0, 20.0], [30.0, 0.0, 0.0]])
    found = log_right(logits)
    assert 0 > found[1] > found[0]
    torch.testing.assert_close(found, torch.tensor([-4.248354e-18, -1.562882e-18, -29.306853]), rtol=1e-4, atol=0)


def test_truncation_is_reported(base: Path, solutions: list[Solution]) -> None:
    model = loading.load_base(base, max_length=48)
    long = Solution("long", "P?", ("1 + 1 = 2.", "2 + 2 = 4. " * 10, "So 4."))
    score = next(score_solutions(model, [long]))
    assert (len(score.steps), score.steps_left_out, score.is_truncated) == (1, 2, True)
    nothing = next(score_solutions(model, [replace(long, steps=long.steps[1:])]))
    assert (nothing.score, nothing.steps_left_out) == (None, 2)
    shortened = next(score_solutions(model, [Solution("p", "What is " * 30, ("5.",))]))
    assert (len(shortened.steps), shortened.is_truncated) == (1, True)


def test_a_solution_without_steps_has_no_score(model: StepClassifier) -> None:
    assert next(score_solutions(model, [Solution("empty", "P?", ())])).score is None


def test_solutions_are_read_a_window_at_a_time(model: StepClassifier, solutions: list[Solution]) -> None:
    taken = 0

    def endless() -> Iterator[Solution]:
        nonlocal taken
        while True:
            taken += 1
            yield solutions[taken % len(solutions)]

    found = score_solutions(model, endless(), ScoreConfig(window=4))
    for _ in range(9):
        next(found)
    assert taken == 16, "three windows, and one that is encoded ahead"


def test_solutions_before_one_that_cannot_be_read_are_scored(model: StepClassifier, solutions: list[Solution]) -> None:
    def broken() -> Iterator[Solution]:
        yield from solutions[:6]
        raise OSError

    scores = score_solutions(model, broken(), ScoreConfig(window=4))
    assert [next(scores).id for _ in range(4)] == [each.id for each in solutions[:4]]
    with pytest.raises(OSError):
        next(scores)


def test_progress_rises_and_can_cancel(model: StepClassifier, solutions: list[Solution]) -> None:
    told: list[Progress] = []
    config = ScoreConfig(window=10, tokens_per_pass=200)
    list(score_solutions(model, solutions, config, told.append, total=24))
    done = [each.done for each in told]
    assert done == sorted(done)
    assert (told[-1].done, told[-1].total, told[-1].stage) == (24, 24, "scoring")

    def cancel(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(score_solutions(model, solutions, config, cancel))


@pytest.mark.parametrize("wrong", [{"aggregate": "median"}, {"window": 0}])
def test_settings_are_checked(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"aggregate|window"):
        ScoreConfig(**wrong)  # type: ignore[arg-type]
