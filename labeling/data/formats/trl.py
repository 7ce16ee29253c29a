"""TRL's stepwise supervision: ``prompt``, ``completions`` (the steps) and ``labels`` (whether each is right).

Source: the dataset type of that name in the documentation of Hugging Face's TRL, which its ``PRMTrainer`` reads. The
two lists are equally long: one label a step.

A record is one path up to its first mistake, neutral being right. Alternatives beside the path have no place in the
format, and it knows no “unsure”: the path ends before such a step. A step that the annotator wrote counts as right.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labeling.rules.labelled import Labelled


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    if path := labelled.path:
        yield {
            "prompt": labelled.problem,
            "completions": [item.text for item in path],
            "labels": [item.rating != -1 for item in path],
        }
