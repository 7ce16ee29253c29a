"""Samples of Inspect's logs of evaluations (`.eval`, or JSON): `messages`, `target`, `scores`.

What is kept: all messages, `target` as the reference answer, the model, `id` and `epoch`, and the verdict, if all
scorers that call it right (C, 1, true) or wrong (I, 0, false) agree. Examples that came with the input are context.
Long texts under `attachments` are put back. What is not kept: `events`, `store`, `metadata`, other scores, and the
log's header.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from labeling.data.formats import fields
from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.data.formats.traces.content import Contents
from labeling.data.formats.traces.messages import OF_A_MESSAGE, message_fields, parts_of, solution_fields
from labeling.data.formats.traces.solved import solution_of
from labeling.data.formats.traces.values import OURS, mapping, objects, string
from labeling.rules.traces.parts import Part
from labeling.rules.words import PartKind

READ = {"id", "epoch", "input", "target", "messages", "output", "scores", "attachments", "uuid"}
OF_INSPECT = OF_A_MESSAGE | {"source", "function", "model"}
ATTACHED = "attachment://"
VERDICTS = {"C": True, "I": False, 1: True, 0: False}
EXAMPLE = "Example"


def parse(record: Record, notes: Notes) -> list[ParsedSolution]:
    """Parses one record. Raises FormatError, which names the field."""
    texts = mapping(record.get("attachments"))
    messages = _put_back(_messages(record), texts)
    asked = _put_back(record.get("input"), texts)
    return [
        solution_of(
            _placed_parts(messages, notes),
            notes,
            problem=ParsedProblem(
                statement=asked if isinstance(asked, str) else "",
                reference_answer=_target(record.get("target")),
                external_id=string(record, "id"),
            ),
            generator=string(mapping(record.get("output")), "model"),
            is_correct=_verdict_of(record.get("scores"), notes),
            external_id=_id_of(record),
        )
    ]


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the fields that are not read, of the sample and of its messages."""
    yield from solution_fields(record, READ)
    yield from message_fields(_messages(record), "messages", OF_INSPECT)


def _target(target: Any) -> str:
    given = target if isinstance(target, list) else [target]
    return ", ".join(string({"one": each}, "one") for each in given).strip()


def _messages(record: Record) -> list[Any]:
    """The messages; of a sample without any, its input and its output."""
    if isinstance(messages := record.get("messages"), list) and messages:
        return messages
    asked, choices = record.get("input"), objects(mapping(record.get("output")).get("choices"))
    if not choices:
        raise FormatError("there are no “messages”")
    given = asked if isinstance(asked, list) else [{"role": "user", "content": asked}]
    return [*given, choices[0].get("message")]


def _placed_parts(messages: list[Any], notes: Notes) -> Iterator[tuple[str, Part]]:
    examples = {at for at, each in enumerate(messages) if isinstance(each, dict) and each.get("source") == "input"}
    for agent, part in parts_of(messages, "messages", notes, Contents(notes)):
        if part.at in examples and not part.is_context:
            kind = PartKind.MESSAGE if part.kind is PartKind.TEXT else part.kind
            yield agent, structs.replace(part, kind=kind, name=part.name or EXAMPLE, is_context=True)
        else:
            yield agent, part


def _put_back(value: Any, texts: Mapping[str, Any]) -> Any:
    """The value with the attached texts in place of their addresses."""
    if isinstance(value, str):
        return string(texts, value.removeprefix(ATTACHED)) or value if value.startswith(ATTACHED) else value
    if isinstance(value, dict):
        return {key: _put_back(each, texts) for key, each in value.items()}
    return [_put_back(each, texts) for each in value] if isinstance(value, list) else value


def _verdict_of(scores: Any, notes: Notes) -> bool | None:
    found = set[bool]()
    for name, score in mapping(scores).items():
        value = fields.whole(mapping(score).get("value")) if name != OURS else None
        if isinstance(value, str | int) and value in VERDICTS:
            found.add(VERDICTS[value])
    if len(found) > 1:
        notes.add("samples whose scorers disagree, without a verdict")
    return found.pop() if len(found) == 1 else None


def _id_of(record: Record) -> str:
    own, epoch = string(record, "id"), record.get("epoch")
    return f"{own}/{epoch}" if isinstance(epoch, int) and epoch > 1 else own
