"""RLHFlow's chats: the user gives the problem with its first step, then each further step; the assistant says + or -.

Source: huggingface.co/datasets/RLHFlow/Mistral-PRM-Data and the others of that project (Xiong et al. 2024):
``{"conversations": [{"role": "user", "content": "1 + 1? Step 1: ..."}, {"role": "assistant", "content": "+"}, ...]}``.

A record is the path that `labeling.data.formats.labels.trl` has, with the same losses. `numbered` says how the steps
are numbered.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

from msgspec import Meta, Struct

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.labels import numbered
from labeling.data.formats.labels.parsed import ParsedLabelling, is_right, labelled_steps
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.rules.labelled import Labelled
from labeling.rules.texts.answers import extract_answer


class _Message(Struct, gc=False):
    role: str
    content: str


class _Record(Struct, gc=False):
    conversations: Annotated[list[_Message], Meta(min_length=2)]


unread = partial(fields.unread, kind=_Record)


def parse(record: Record) -> ParsedLabelling:
    """Parses one record. Raises FormatError, which names the field."""
    turns = [each for each in fields.convert(record, _Record).conversations if each.role != "system"]
    if [each.role for each in turns] != ["user", "assistant"] * (len(turns) // 2):
        raise FormatError("conversations: “user” and “assistant” do not take turns")
    problem, steps = numbered.split([each.content for each in turns[::2]])
    answer = extract_answer("\n\n".join(steps))
    solution = ParsedSolution(ParsedProblem(problem), tuple(steps), answer, generator="")
    return labelled_steps(solution, [each.content for each in turns[1::2]], name="conversations")


def write(labelled: Labelled) -> Iterator[dict[str, Any]]:
    if path := labelled.path:
        texts = numbered.join(labelled.problem_text, [item.text for item in path])
        turns = zip(texts, is_right(path), strict=True)
        yield {"conversations": [message for text, right in turns for message in _turn(text, right)]}


def _turn(text: str, right: bool) -> Iterator[dict[str, str]]:
    yield {"role": "user", "content": text}
    yield {"role": "assistant", "content": "+" if right else "-"}
