"""The README saved with a model: its ten lines of code give the model's own scores."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from prm_training.prm import loading, train
from prm_training.prm.score import score_solutions
from prm_training.prm.trees.data import LabelledTree, OutcomeLabel, Solution

CONFIG = train.TrainConfig(epochs=1, batch_tokens=200, origin="a test")


@pytest.fixture(scope="module")
def folder(base: Path, trees: list[LabelledTree], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train.train(trees, base, tmp_path_factory.mktemp("run"), CONFIG).model_dir


def test_its_lines_give_the_scores_in_plain_transformers(folder: Path) -> None:
    (code,) = re.findall(r"(?s)```python\n(.*?)```", (folder / "README.md").read_text())
    assert len([line for line in code.splitlines() if line.strip()]) <= 12
    problem, steps = "What is 20 + 30 + 40?", ["20 + 30 = 50.", "Let us go on.", "50 + 40 = 91."]
    given = {"folder": folder, "problem": problem, "steps": steps}
    exec(code, given)  # what a reader would copy
    (score,) = score_solutions(folder, [Solution("1", problem, tuple(steps))])
    assert (given["neutral"] + given["positive"]).tolist() == pytest.approx(score.probabilities, abs=1e-5)


def test_it_says_what_the_model_learned_from_and_how_good_it_is(folder: Path, trees: list[LabelledTree]) -> None:
    text = (folder / "README.md").read_text()
    boundary = loading.load_reward_model(folder).encoder.boundary
    assert f"The boundary, {boundary!r}," in text
    assert f"From a test (sha256 of the labels: `{train.hash_of(trees)}`)." in text
    assert "| learned from | 18 | 108 | 0 | 0 |" in text
    assert re.search(r"On 36 held-out steps, 12 of them negative", text)
    assert re.search(r"\| Step AUC.* \| [\d.]+ \| [\d.]+ to [\d.]+ \|", text)


def test_without_held_out_labels_it_claims_nothing(base: Path, trees: list[LabelledTree], tmp_path: Path) -> None:
    report = train.train([each for each in trees if each.split == "train"], base, tmp_path, CONFIG)
    assert "Not measured" in (report.model_dir / "README.md").read_text()


def test_an_outcome_model_says_so(base: Path, tmp_path: Path) -> None:
    labels = [OutcomeLabel(str(number), "P?", (f"{number}.", "So."), correct=number % 2 == 0) for number in range(4)]
    report = train.train([each.tree("train") for each in labels], base, tmp_path, CONFIG)
    assert "read the last step, and no other" in (report.model_dir / "README.md").read_text()
