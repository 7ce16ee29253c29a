"""Experiment 1 on solutions sampled from the base model, with mistakes of its own making.

The judge is exact, and strict: the lines of the world's own solution in their order, in any of its wordings.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, StoppingCriteria, StoppingCriteriaList

from benchmarks.lab.best_of_n import Contest, Settings, make_base, split, supervisions
from benchmarks.lab.measured import Found, Work
from benchmarks.lab.world.sampling import Problem, SampledSolution
from benchmarks.lab.world.writing import FILLERS
from labeling.rules.texts.answers import extract_answer
from prm_training.prm import loading

NEW_TOKENS = 256  # more than any of the world's solutions
TEMPERATURE = 0.7
EACH = 10  # solutions of a problem to learn from


def measure(seed: int, settings: Settings, work: Work) -> Found:
    """Returns `best_of_n.measure` with how often the base's solutions are right."""
    return work.once(f"own-samples-seed-{seed}", settings, lambda: _measured(seed, settings, work))


def _measured(seed: int, settings: Settings, work: Work) -> Found:
    test, train = split(seed, settings)
    base = make_base(settings, work)
    work.say(f"seed {seed}: the base writes {settings.samples} solutions of each problem")
    sampled = written(base, test, settings.samples, seed)
    learned = train[: -(-settings.labelled // EACH)]
    rows = written(base, learned, EACH, seed)
    chosen = [(problem, one) for problem, row in zip(learned, rows, strict=True) for one in row]
    contest = Contest(seed, settings, replace(work, models=work.models / "own-samples"), base, test, sampled)
    return {"world": _world(sampled), **contest.held(supervisions(chosen[: settings.labelled]))}


def written(base: Path, problems: Sequence[Problem], count: int, seed: int) -> list[list[SampledSolution]]:
    """Samples `count` solutions of each problem, rated by the judge."""
    encoder = loading.load_base(base).encoder
    network, tokenizer = AutoModelForCausalLM.from_pretrained(base).eval(), AutoTokenizer.from_pretrained(base)
    found = []
    with torch.random.fork_rng(), torch.inference_mode():
        torch.manual_seed(seed)
        for problem in problems:
            prompt = torch.tensor([encoder.encode(problem.statement, ()).ids])  # (1, tokens)
            is_over = Answered(tokenizer, encoder.boundary, prompt.shape[1])
            rows = network.generate(
                prompt,
                attention_mask=torch.ones_like(prompt),
                do_sample=True,
                temperature=TEMPERATURE,
                top_k=0,
                num_return_sequences=count,
                max_new_tokens=NEW_TOKENS,
                stopping_criteria=StoppingCriteriaList([is_over]),
                pad_token_id=tokenizer.pad_token_id,
            )  # (count, tokens + new tokens)
            found.append([_read_steps(problem, is_over.steps(row)) for row in rows])
    return found


class Answered(StoppingCriteria):
    """Stops a row at the end of a step that gives an answer; sampling goes on while other rows need it."""

    def __init__(self, tokenizer: Any, boundary: str, prompt_tokens: int) -> None:
        self._tokenizer, self._boundary, self._prompt_tokens = tokenizer, boundary, prompt_tokens
        self._step_end = tokenizer.convert_tokens_to_ids(boundary)

    def steps(self, ids: torch.Tensor) -> tuple[str, ...]:
        """Returns the finished steps of one row, up to the answer."""
        finished = self._tokenizer.decode(ids[self._prompt_tokens :]).split(self._boundary)[:-1]
        answers = (number for number, step in enumerate(finished, start=1) if extract_answer(step))
        return tuple(finished[: next(answers, None)])

    def __call__(self, ids: torch.Tensor, scores: Any, **_: Any) -> torch.Tensor:
        return torch.tensor([bool(row[-1] == self._step_end and extract_answer(self.steps(row)[-1])) for row in ids])


def _read_steps(problem: Problem, steps: tuple[str, ...]) -> SampledSolution:
    answer = extract_answer(steps[-1]) if steps else ""
    return SampledSolution(steps or ("",), answer, judged(problem, steps or ("",)), answer == problem.answer, False)


def judged(problem: Problem, steps: Sequence[str]) -> tuple[int, ...]:
    """Rates each step. A step that adds nothing may be anywhere, or be left out."""
    expected, ratings = problem.lines, list[int]()
    for step in steps:
        found = next((at for at, line in enumerate(expected) if step in line), None)
        if step in FILLERS:
            ratings.append(0)
        elif found is None or any(min(line.values()) for line in expected[:found]):  # no such line, or one is missing
            ratings.append(-1)
        else:
            ratings.append(expected[found][step])
            expected = expected[found + 1 :]
    return tuple(ratings)


def _world(sampled: Sequence[Sequence[SampledSolution]]) -> dict[str, float]:
    each = [one for row in sampled for one in row]
    texts = [{one.steps for one in row if one.is_right} for row in sampled]
    return {
        "right answers": fmean(one.is_right for one in each),
        "no answer": fmean(not one.answer for one in each),
        "right answers with a mistake": fmean(one.is_right and -1 in one.ratings for one in each),
        "different right texts of a problem": fmean(map(len, texts)),
    }
