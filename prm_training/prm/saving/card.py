"""Writes the README that is saved with a model: how to read it without this package, what it learned from, its
metrics.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from prm_training.prm.progress import Precision
from prm_training.prm.trees.encoding import Encoder
from prm_training.prm.trees.packing import ExampleCounts

READING = """\
import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained(folder)
model = AutoModelForTokenClassification.from_pretrained(folder, dtype=torch.float32).eval()
row, ends = [] if tokenizer.bos_token_id is None else [tokenizer.bos_token_id], []
for text in (problem, *steps):
    for part in (text, model.config.step_boundary):
        row += tokenizer(part, add_special_tokens=False)["input_ids"]
    ends.append(len(row) - 1)
with torch.no_grad():
    negative, neutral, positive = model(torch.tensor([row])).logits[0, ends[1:]].softmax(-1).T"""
HOW = """\
A step is right with `neutral + positive`. The boundary, {!r}, closes the problem and every step; the probabilities are
read at its last token. Problem, steps and boundaries are tokenized one by one: tokenized as one text they may merge,
which changes probabilities by up to 0.1. It learned from rows of at most {} tokens, in {}.
"""
SHOWN = {
    "step_auc": "Step AUC: a negative step scores below another one",
    "accuracy": "Accuracy among the three ratings",
    "calibration_error": "Calibration error of P(right)",
    "loss": "Cross-entropy, in nats",
}


@dataclass(frozen=True)
class Card:
    """The facts for a model's README. `origin` says in words where the labels are from; `labels_hash` is of the labels
    themselves.
    """

    base: str
    origin: str
    labels_hash: str
    train: ExampleCounts
    test: ExampleCounts
    metrics: Mapping[str, float]
    encoder: Encoder
    precision: Precision
    is_orm: bool

    def text(self) -> str:
        return "\n".join(
            [
                "---\nlibrary_name: transformers\npipeline_tag: token-classification\ntags: [reward-model]\n---\n",
                *self._what(),
                *self._reading(),
                *self._labels(),
                *self._metrics(),
            ]
        )

    def write(self, directory: Path) -> None:
        (directory / "README.md").write_text(self.text(), encoding="utf-8")

    def _what(self) -> Iterator[str]:
        if self.is_orm:
            yield "# An outcome reward model\n\nJudges whole solutions: read the last step, and no other.\n"
        else:
            yield "# A process reward model\n\nJudges each step of a solution: negative, neutral or positive.\n"
        yield f"Trained by Stepmark from `{self.base}`.\n"

    def _reading(self) -> Iterator[str]:
        yield f"## Reading it\n\nWith `folder`, `problem` and `steps` given:\n\n```python\n{READING}\n```\n"
        yield HOW.format(self.encoder.boundary, f"{self.encoder.max_length:,}", self.precision)

    def _labels(self) -> Iterator[str]:
        yield f"## Labels\n\nFrom {self.origin or 'an unnamed source'} (sha256 of the labels: `{self.labels_hash}`).\n"
        yield "| | labellings | step labels | after the first error | too long to read |\n|---|---|---|---|---|"
        for name, counts in (("learned from", self.train), ("held out", self.test)):
            numbers = (counts.trees, counts.labels, counts.labels_masked, counts.labels_left_out)
            yield f"| {name} | {' | '.join(f'{number:,}' for number in numbers)} |"
        yield ""

    def _metrics(self) -> Iterator[str]:
        yield "## How good it is\n"
        if not self.metrics.get("steps"):
            yield "Not measured: no labels were held out.\n"
            return
        steps, negative = (f"{self.metrics[name]:,.0f}" for name in ("steps", "steps_negative"))
        yield f"On {steps} held-out steps, {negative} of them negative, with 95 % intervals over problems:\n"
        yield "| metric | value | 95 % interval |\n|---|---|---|"
        for name, meaning in SHOWN.items():
            if name in self.metrics:
                ends = [self.metrics.get(f"{name}_{side}") for side in ("low", "high")]
                said = f"{ends[0]:.3f} to {ends[1]:.3f}" if None not in ends else "too few problems"
                yield f"| {meaning} | {self.metrics[name]:.3f} | {said} |"
        yield ""
