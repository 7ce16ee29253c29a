"""Math-Shepherd: the problem and its steps as one text, each step's end marked; the same with the labels as marks.

Source: huggingface.co/datasets/peiyi9979/Math-Shepherd (Wang et al. 2024, arXiv 2312.08935). ``input`` has ``ки`` at
the end of each step, ``label`` has ``+`` or ``-`` there instead; ``task`` names the problem's data set.

What goes in is the path of ``labeling.data.formats.trl``, with the same losses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labeling.rules.labelled import Labelled

MARK = "ки"  # Cyrillic: one token of the tokenizers that the data set was made for


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    if path := labelled.path:
        signs = ["-" if item.rating == -1 else "+" for item in path]
        texts = [f"Step {number}: {item.text}" for number, item in enumerate(path, start=1)]
        yield {
            "input": _marked(labelled.problem, texts, [MARK] * len(path)),
            "label": _marked(labelled.problem, texts, signs),
            "task": labelled.problem_source,
        }


def _marked(problem: str, texts: list[str], marks: list[str]) -> str:
    return f"{problem} " + "\n".join(f"{text} {mark}" for text, mark in zip(texts, marks, strict=True))
