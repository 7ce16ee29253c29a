"""Kinds of error: the list that a phase asks from after a Bad step, and what an annotator answers (pure)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from labeling.errors import DomainError

MOST_KINDS = 60


class InvalidKinds(DomainError, code="invalid_error_kinds"):
    """The list can't be asked from: a key is missing or used twice, or a parent is not in it."""


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """A kind of error. `key`: the letter or digit that chooses it, unique in its list, by which labels name it.
    `parent`: the key of the kind above it; empty at the top.
    """

    key: str
    name: str
    parent: str = ""
    help: str = ""


def kinds_from(rows: Iterable[Mapping[str, Any]]) -> list[ErrorKind]:
    return [ErrorKind(**row) for row in rows]


def name_of(rows: Sequence[Mapping[str, Any]], key: str) -> str:
    """The name of the kind with this key, after those of the kinds above it; empty if the list lacks the key."""
    kind = next((row for row in rows if row["key"] == key), None)
    if kind is None:
        return ""
    above = name_of(rows, kind["parent"]) if kind.get("parent") else ""
    return f"{above}: {kind['name']}" if above else kind["name"]


def check_kinds(kinds: Sequence[ErrorKind]) -> None:
    """Raises InvalidKinds, which names the kind at fault, unless the list can be asked from."""
    keys = [kind.key for kind in kinds]
    if len(kinds) > MOST_KINDS:
        raise InvalidKinds(f"There are {len(kinds)} kinds; at most {MOST_KINDS} can be chosen by one key each.")
    for place, kind in enumerate(kinds):
        if not (len(kind.key) == 1 and kind.key.isascii() and kind.key.isalnum() and kind.key == kind.key.lower()):
            raise InvalidKinds(f"“{kind.name}”: the key is one lower-case letter or digit, not “{kind.key}”.")
        if kind.key in keys[:place]:
            raise InvalidKinds(f"“{kind.name}”: the key “{kind.key}” is used twice.")
        if not kind.name.strip():
            raise InvalidKinds(f"The kind with the key “{kind.key}” has no name.")
        # A parent stands before its children, so that no kind is its own ancestor.
        if kind.parent and kind.parent not in keys[:place]:
            raise InvalidKinds(f"“{kind.name}”: its parent “{kind.parent}” is not a kind before it in the list.")


MATHEMATICS = (
    ErrorKind("r", "Reading", help="The problem says something else."),
    ErrorKind("c", "Calculation"),
    ErrorKind("1", "Arithmetic", "c", "A number comes out wrong."),
    ErrorKind("2", "Algebra", "c", "A transformation is not allowed, or a sign or term is lost."),
    ErrorKind("l", "Reasoning"),
    ErrorKind("3", "Unjustified", "l", "It doesn't follow, or can't be checked."),
    ErrorKind("4", "Wrong rule", "l", "A theorem or formula that is false, or doesn't apply."),
    ErrorKind("5", "Missing case", "l", "A case is left out, or counted twice."),
    ErrorKind("d", "Dead end", help="Right, but it leads nowhere."),
    ErrorKind("i", "Incomplete", help="It stops before the question is answered."),
    ErrorKind("g", "Gibberish"),
)

# The ten categories of AgentRx, under which its agents' failures are labelled.
AGENTRX = (
    ErrorKind("1", "Instruction or plan adherence", help="Does not do what it was told, or what it planned."),
    ErrorKind("2", "Invention of new information", help="States what nothing before it says."),
    ErrorKind("3", "Invalid invocation", help="A tool call with a wrong name, argument or format."),
    ErrorKind("4", "Misinterpretation of tool output", help="Reads a result as something else than it says."),
    ErrorKind("5", "Intent-plan misalignment", help="The plan is not for what the user wants."),
    ErrorKind("6", "Underspecified user intent", help="Goes on without asking for what is missing."),
    ErrorKind("7", "Intent not supported", help="Tries what its tools can't do."),
    ErrorKind("8", "Guardrails triggered", help="A policy or filter stopped it."),
    ErrorKind("9", "System failure", help="A tool, network or environment broke."),
    ErrorKind("0", "Inconclusive", help="There is an error, but its kind can't be told."),
)

CODE = (
    ErrorKind("r", "Requirements", help="It solves another task than the one given."),
    ErrorKind("s", "Syntax", help="It doesn't parse or compile."),
    ErrorKind("n", "Name or interface", help="Calls what doesn't exist, or with wrong arguments."),
    ErrorKind("l", "Logic"),
    ErrorKind("1", "Wrong result", "l"),
    ErrorKind("2", "Edge case", "l", "Fails for some inputs only."),
    ErrorKind("3", "Efficiency", "l", "Too slow, or too much memory."),
    ErrorKind("t", "Test", help="A test is wrong, weakened or skipped."),
    ErrorKind("d", "Damage", help="Breaks or deletes what it should leave alone."),
)

MEDICINE = (
    ErrorKind("f", "Facts", help="Against current medical knowledge."),
    ErrorKind("m", "Misread case", help="Against what the case says."),
    ErrorKind("r", "Reasoning", help="The conclusion doesn't follow from the findings."),
    ErrorKind("o", "Omission", help="A finding, risk or alternative that matters is left out."),
    ErrorKind("h", "Harm", help="Following it could hurt the patient."),
    ErrorKind("u", "Unsupported", help="Stated as certain without evidence."),
)

LAW = (
    ErrorKind("f", "Misread facts", help="Against what the case says."),
    ErrorKind("r", "Wrong rule", help="The law is otherwise, or not of this jurisdiction."),
    ErrorKind("c", "Citation", help="The source doesn't exist, or doesn't say so."),
    ErrorKind("a", "Application", help="The rule is right, but applied wrongly."),
    ErrorKind("o", "Omission", help="An issue, exception or counter-argument that matters is left out."),
)
