"""Traces as pages show them: the parts of each step, long texts cut to their beginning."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from drf_spectacular.utils import extend_schema_field
from msgspec import Meta, Struct
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from labeling.api.requests import checked
from labeling.models import Image, Solution
from labeling.rules.traces import rest
from labeling.rules.words import PartKind

TURNS = {"type": ["array", "null"], "items": {"$ref": "#/components/schemas/Turn"}}
OWN_SHOWN, CONTEXT_SHOWN = 20_000, 4000  # characters


class PartMessage(Struct, omit_defaults=True):
    """A part of a step, or of what was said before: of a long text the beginning."""

    kind: PartKind
    text: str
    is_context: Annotated[bool, Meta(description="It is shown, and never rated.")]
    name: Annotated[str, Meta(description="A tool, who wrote a message, or a file's path.")] = ""
    arguments: Annotated[dict[str, Any] | None, Meta(description="Of a tool call.")] = None
    language: str = ""
    is_error: bool = False
    image: Annotated[str, Meta(description="The ticket that an image is asked for with.")] = ""
    length: Annotated[int, Meta(description="Characters of the whole text, if this is its beginning.")] = 0


class TurnMessage(Struct):
    parts: list[PartMessage]
    agent: str


def shown_parts(parts: Iterable[dict[str, Any]] | None) -> list[PartMessage] | None:
    """The parts of a row's conversation as pages show them; None for a plain text."""
    return None if parts is None else [_shown(part) for part in parts]


def shown_turns(turns: Iterable[dict[str, Any]] | None) -> list[TurnMessage] | None:
    """The turns of a row as pages show them; None for a plain text."""
    if turns is None:
        return None
    return [TurnMessage([_shown(part) for part in turn["parts"]], turn.get("agent", "")) for turn in turns]


def _shown(part: dict[str, Any]) -> PartMessage:
    text = part.get("text", "")
    most = CONTEXT_SHOWN if part.get("is_context") else OWN_SHOWN
    length = len(text) if len(text) > most else 0
    image = Image.TICKETS.sign(part["image"]) if part.get("image") else ""
    shown = {"is_context": False, **part, "text": text[:most], "length": length, "image": image}
    return msgspec.convert(shown, PartMessage)


class _TraceField(serializers.Field[Any, Any, Any, Any]):
    """A read-only field of a trace; `source` leads to the solution or the problem."""

    def __init__(self, source: str, help_text: str = "") -> None:
        super().__init__(source=source, read_only=True, help_text=help_text)


@extend_schema_field(TURNS)
class TurnsField(_TraceField):
    """The turns of a trace; null for a plain text."""

    def to_representation(self, value: Any) -> Any:
        return msgspec.to_builtins(shown_turns(value.turns))


@extend_schema_field({"type": ["array", "null"], "items": {"$ref": "#/components/schemas/Part"}})
class ConversationField(_TraceField):
    """The messages before the first turn of a trace; null for a plain text."""

    def to_representation(self, value: Any) -> Any:
        return msgspec.to_builtins(shown_parts(value.conversation))


class _UpToField(_TraceField):
    """A field of a solution, shown up to the row's `step`."""

    def get_attribute(self, instance: Any) -> Any:
        return super().get_attribute(instance), instance.step + 1


@extend_schema_field({"type": "array", "items": {"type": "string"}})
class StepsUpToField(_UpToField):
    """The texts of the solution's steps up to the row's `step`."""

    def to_representation(self, value: Any) -> list[str]:
        solution, end = value
        steps: list[str] = solution.steps[:end]
        return steps


@extend_schema_field(TURNS)
class TurnsUpToField(_UpToField):
    """The turns of a trace up to the row's `step`; null for a plain text."""

    def to_representation(self, value: Any) -> Any:
        solution, end = value
        return solution.turns and msgspec.to_builtins(shown_turns(solution.turns[:end]))


class PartRequestSerializer(serializers.Serializer[Any]):
    step = serializers.IntegerField(
        min_value=-1, max_value=10_000, default=-1, help_text="-1: what was said before the first one."
    )
    part = serializers.IntegerField(min_value=0, max_value=10_000, default=0)
    start = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=0)


class PartTextSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    length = serializers.IntegerField(help_text="Of the whole text, in characters.")


def part_response(request: Request, solution: Solution) -> Response:
    """Returns the stretch of a part's text that the query asks for. Raises NoSuchPart."""
    asked = checked(PartRequestSerializer(data=request.query_params))
    said = solution.problem.conversation or [{"text": solution.problem.statement}]
    return Response(PartTextSerializer(rest.text_of(said, solution.turns, **asked)).data)
