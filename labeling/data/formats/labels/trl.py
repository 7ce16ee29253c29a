"""TRL's stepwise supervision: ``prompt``, ``completions`` (the steps) and ``labels`` (whether each is right).

Source: the dataset type of that name in the documentation of Hugging Face's TRL. Its trainer, ``PRMTrainer``, was part
of TRL up to 0.24 and is gone since; data sets on the Hub keep the form. The two lists are equally long.

A record is one path, neutral being right: up to its first mistake, or past it where all steps are rated. Alternatives
beside the path have no place in the format, and it knows no “unsure”: the path ends before such a step. A step that the
annotator wrote counts as right. Who labelled, when, and how it ended is not said. `write_alternatives` also gives each
rated alternative a record of its own, at the end of the path that leads to it, as the Hub's copy of PRM800K's phase 1
does.

Read: labels may be probabilities, see `parsed.rated`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Struct

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels.parsed import ParsedLabelling, Value, is_right, labelled_steps
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.rules.labelled import Labelled, LabelledCompletion
from labeling.rules.texts.answers import extract_answer


class _Record(Struct, gc=False):
    prompt: fields.NotBlank
    completions: Annotated[tuple[str, ...], Meta(min_length=1)]
    labels: list[Value]


unread = partial(fields.unread, kind=_Record)


def parse(record: Record) -> ParsedLabelling:
    """Parses one record. Raises FormatError, which names the field."""
    given = fields.convert(record, _Record)
    if len(given.labels) != len(given.completions):
        raise FormatError(f"there are {len(given.labels)} labels for {len(given.completions)} completions")
    answer = extract_answer("\n\n".join(given.completions))
    solution = ParsedSolution(ParsedProblem(given.prompt), given.completions, answer, generator="")
    return labelled_steps(solution, given.labels, name="labels")


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    if path := labelled.path:
        yield _record(labelled, path)


def write_alternatives(labelled: Labelled) -> Iterator[dict[str, Any]]:
    path = labelled.path
    for item in labelled.completions:
        if item.rating is not None and item.step <= len(path) and item not in path[item.step : item.step + 1]:
            yield _record(labelled, [*path[: item.step], item])
    if path:
        yield _record(labelled, path)


def _record(labelled: Labelled, path: Sequence[LabelledCompletion]) -> dict[str, Any]:
    return {"prompt": labelled.problem_text, "completions": [item.text for item in path], "labels": is_right(path)}
