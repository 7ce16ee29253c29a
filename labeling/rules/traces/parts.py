"""A trace: the turns of a model, each a list of typed parts, of which only the model's own are rated.

A turn is one step. Its own parts come first; then, as *context*, what the turn brought about: observations of its tool
calls, and what others said before the model's next turn. What was said before the first turn is the problem's
*conversation*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from labeling.rules.words import PartKind


class Part(Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A part of a turn, or of a conversation.

    `text` is its text as it was sent, of a tool call the arguments where they are no JSON. `name` is the tool of a call
    or an observation, who wrote a message, the path of a file. `call` ties an observation to its call. `image` is the
    SHA-256 of an image. `at` counts the messages of its file, from 0.
    """

    kind: PartKind
    text: str = ""
    is_context: bool = False
    name: str = ""
    arguments: dict[str, Any] | None = None
    call: str = ""
    language: str = ""
    is_error: bool = False
    image: str = ""
    at: int | None = None


class Turn(Struct, frozen=True, omit_defaults=True, gc=False):
    """One turn of a model, which is one step: at least one part that is its own. `agent` names which of several models
    it was; `at` is its place among the messages of its file, from 0.
    """

    parts: tuple[Part, ...]
    agent: str = ""
    at: int | None = None

    @property
    def own(self) -> list[Part]:
        return [part for part in self.parts if not part.is_context]

    @property
    def context(self) -> list[Part]:
        return [part for part in self.parts if part.is_context]


class Trace(Struct, frozen=True, gc=False):
    """The messages before the first turn, and the turns."""

    conversation: tuple[Part, ...]
    turns: tuple[Turn, ...]


def traced(parts: Iterable[tuple[str, Part]]) -> Trace:
    """Groups parts, each with the agent whose turn it is (of context, no matter whose), into turns.

    A turn begins with a part of the model's that comes after context, is another agent's, or is of another message.
    """
    conversation, turns = list[Part](), list[tuple[str, list[Part]]]()
    for agent, part in parts:
        if part.is_context:
            (turns[-1][1] if turns else conversation).append(part)
        elif turns and _goes_on(turns[-1], agent, part):
            turns[-1][1].append(part)
        else:
            turns.append((agent, [part]))
    made = tuple(Turn(tuple(own), agent, own[0].at) for agent, own in turns)
    return Trace(tuple(conversation), made)


def _goes_on(turn: tuple[str, Sequence[Part]], agent: str, part: Part) -> bool:
    last = turn[1][-1]
    return not last.is_context and turn[0] == agent and last.at == part.at
