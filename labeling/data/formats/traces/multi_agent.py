"""Conversations among named agents, as Who&When and AgentRx's Magentic-One runs have them: each message is its agent's.

`history[]` or `messages[]` are `{"role", "name", "content"}`, where `name`, else `role`, says who: `WebSurfer`,
`Orchestrator (thought)`. Context is what people (`human`, `user` without a name), the system, and whatever runs code
(`Computer_terminal`, an executor, a tool) say. `question` is the problem, `ground_truth` its reference answer.

What is kept: all contents, and who said them. What is not: the agents' `system_prompt`, and other fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from labeling.data.formats.fields import FormatError, Record
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedProblem, ParsedSolution
from labeling.data.formats.traces.content import Contents
from labeling.data.formats.traces.messages import (
    IDS,
    OF_A_MESSAGE,
    OWN,
    SPEAKERS,
    TASKS,
    TOOLS,
    message_fields,
    own_parts,
    solution_fields,
)
from labeling.data.formats.traces.solved import solution_of, verdict
from labeling.data.formats.traces.values import objects, string
from labeling.rules.traces.parts import Part

KEYS = ("history", "messages")
KNOWN = {*OWN, *TOOLS, *SPEAKERS, "exit"}
EXECUTOR = re.compile(
    r"(computer|code|shell|bash|python|docker)?[ _-]?(terminal|executor|interpreter|runner)"
    r"|(user|human)([ _-]?(proxy|input|simulator))?|environment|sandbox|console|tools?",
    re.IGNORECASE,
)
READ = {
    *(
        "question",
        "question_ID",
        "ground_truth",
        "groundtruth",
        "level",
        "is_correct",
        "is_corrected",
        "generator",
        "model",
    ),
    *IDS,
    *KEYS,
}
LABELS = {"mistake_agent", "mistake_step", "mistake_reason", "mistake_type"}


def parse(record: Record, notes: Notes) -> list[ParsedSolution]:
    """Parses one record. Raises FormatError, which names the field."""
    key = key_of(record)
    return [
        solution_of(
            _placed_parts(record[key], key, notes),
            notes,
            problem=ParsedProblem(
                statement=string(record, "question"),
                reference_answer=string(record, "ground_truth", "groundtruth"),
                level=string(record, "level"),
                external_id=string(record, "question_ID", *TASKS),
            ),
            generator=string(record, "generator", "model"),
            is_correct=verdict(record.get("is_correct", record.get("is_corrected"))),
            external_id=string(record, "question_ID", *IDS),
        )
    ]


def key_of(record: Record) -> str:
    """The key that the messages are under. Raises FormatError if there is none."""
    key = next((key for key in KEYS if isinstance(record.get(key), list) and record[key]), "")
    if not key:
        raise FormatError("there is no “history”")
    return key


def unread(record: Record) -> Iterator[tuple[str, object]]:
    """Yields the fields that are not read, of the record and of its messages."""
    key = key_of(record)
    yield from solution_fields(record, READ)
    yield from message_fields(record[key], key, OF_A_MESSAGE)


def are_agents(messages: Any) -> bool:
    """Returns whether any message's role, or its name beside the role, is an agent's."""
    roles = (each.get("role") for each in objects(messages))
    return any(isinstance(role, str) and role not in KNOWN for role in roles)


def speaker(message: Mapping[str, Any]) -> str:
    """Returns who says it: its name, else its role."""
    return string(message, "name", "role")


def _placed_parts(messages: list[Any], key: str, notes: Notes) -> Iterator[tuple[str, Part]]:
    contents = Contents(notes)
    for at, message in enumerate(messages):
        if not isinstance(message, dict) or not (who := speaker(message)):
            raise FormatError(f"{key}[{at}]: it is no message")
        role, name = string(message, "role"), string(message, "name")
        if not name and role in SPEAKERS:
            yield from (("", part) for part in contents.parts(message.get("content"), at, SPEAKERS[role]))
        elif role in TOOLS or EXECUTOR.fullmatch(who):
            call, is_error = string(message, "tool_call_id"), message.get("is_error") is True
            called = name or (who if role not in TOOLS else "")
            given = contents.result(message.get("content"), at, call=call, name=called, is_error=is_error)
            yield from (("", part) for part in given)
        else:
            agent = "" if role in OWN and not name else who
            yield from ((agent, part) for part in own_parts(message, at, contents))
