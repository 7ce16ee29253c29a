"""OpenRLHF's process rewards: ``input``, with a placeholder after each step, and ``value``, a list of their labels.

Source: ``ProcessRewardDataset`` of github.com/OpenRLHF/OpenRLHF and the data sets that it is used with, such as
huggingface.co/datasets/zhuzilin/Math-Shepherd. The placeholder is Math-Shepherd's ``ки``, and ``input`` is the same in
both; a value is ``+`` or ``-``, or a probability.

A record is the path that `labeling.data.formats.labels.trl` has, with the same losses.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec import Struct

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.math_shepherd import MARK, marked, solution_of
from labeling.data.formats.labels.parsed import ParsedLabelling, Value, is_right, labelled_steps
from labeling.rules.labelled import Labelled


class _Record(Struct, gc=False):
    input: fields.NotBlank
    value: list[Value]


unread = partial(fields.unread, kind=_Record)


def parse(record: Record) -> ParsedLabelling:
    """Parses one record. Raises FormatError, which names the field."""
    given = fields.convert(record, _Record)
    solution = solution_of(given.input)
    if len(given.value) != len(solution.steps):
        raise FormatError(f"there are {len(given.value)} values for {len(solution.steps)} steps")
    return labelled_steps(solution, given.value, name="value")


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    if path := labelled.path:
        yield {
            "input": marked(labelled.problem_text, [item.text for item in path], [MARK] * len(path)),
            "value": ["+" if each else "-" for each in is_right(path)],
        }
