"""Experiment 1 on solutions sampled from the base: how they are read and judged."""

from dataclasses import replace

import pytest
import torch
from transformers import AutoTokenizer

from benchmarks.lab import own_samples
from benchmarks.lab.best_of_n import QUICK, make_base, split
from benchmarks.lab.own_samples import Answered, judged, measure, written
from benchmarks.lab.world.sampling import protocol, sample
from benchmarks.lab.world.writing import FILLERS
from prm_training.prm.pretrain import STEP_END

SMALL = replace(
    QUICK, train_problems=22, base_problems=22, base_steps=3, labelled=22, test_problems=3, samples=4, draws=50
)


@pytest.fixture(scope="module")
def work(tmp_path_factory, work_with_base):
    return work_with_base(tmp_path_factory.mktemp("lab"), SMALL)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (f"We add.{STEP_END}So $2 + 3 = 5${STEP_END}Then", ("We add.", "So $2 + 3 = 5$")),
        (f"Ana has 5.\n\n# Answer\n\n5{STEP_END}So far so good.{STEP_END}", ("Ana has 5.\n\n# Answer\n\n5",)),
        ("So far", ()),
    ],
)
def test_a_solution_ends_at_its_answer_or_its_last_finished_step(work, text, steps):
    tokenizer = AutoTokenizer.from_pretrained(make_base(SMALL, work))
    prompt = tokenizer("What is $2 + 3$?" + STEP_END)["input_ids"]
    row = torch.tensor(prompt + tokenizer(text, add_special_tokens=False)["input_ids"])
    assert Answered(tokenizer, STEP_END, len(prompt)).steps(row) == steps


def test_the_judge_finds_the_pretend_models_first_mistakes():
    """A line that adds nothing may be left out, any other may not."""
    problems = split(1, replace(SMALL, test_problems=30))[0]
    for problem in problems:
        for one in sample(problem, 20, seed=1):
            assert protocol(judged(problem, one.steps)) == protocol(one.ratings), one
        right = next(one for one in sample(problem, 40, seed=2) if -1 not in one.ratings)
        lines = [step for step in right.steps if step not in FILLERS]
        assert judged(problem, right.steps[-1:]) == (-1,)
        for step, rating in zip(lines, judged(problem, lines), strict=True):
            rest = [other for other in lines if other != step]
            assert (-1 in judged(problem, rest)) == (rating == 1 and step != lines[-1])


def test_the_same_seed_writes_the_same(work):
    base, problems = make_base(SMALL, work), split(1, SMALL)[0][:1]
    once, again, other = (written(base, problems, 2, seed) for seed in (1, 1, 2))
    assert once == again
    assert once != other


def test_none_beats_the_oracle(work, monkeypatch):
    monkeypatch.setattr(own_samples, "NEW_TOKENS", 48)  # such a base ends none, however long it writes
    found = measure(1, SMALL, work)
    assert "right answers with a mistake" in found["world"]
    curves = found["curves"]
    for rows in curves.values():
        for row, best in zip(rows, curves["oracle"], strict=True):
            assert all(one <= most + 1e-9 for one, most in zip(row[1:], best[1:], strict=True))
