"""Finds the top-level statements of a program: Python's by its grammar, those of other languages by their layout."""

from __future__ import annotations

import ast
import re
import warnings

from labeling.rules.texts.blocks import find_blocks

FENCED = re.compile(r"\s*(```|~~~)[^\n`]*\n")
LONGEST = 200_000  # characters that are parsed
# A line that begins so continues the statement before it.
GOES_ON = re.compile(r"[)}\]{]|(?:else|elif|except|catch|finally|end|fi|done|esac|then|do|begin)\b")

SQL = re.compile(r"\s*(?:--.*\s+)*(?:select|insert|update|delete|with|create|alter|drop|merge)\s", re.IGNORECASE)
END_OF_SQL = re.compile(r";[ \t]*(?:--.*)?[\r\n]+")


def find_starts(text: str) -> list[int] | None:
    """Returns where statements start besides the first; None for prose with blocks in it.

    A text that is one code fence is read as the program inside.
    """
    end = len(text.rstrip())
    blocks = list(find_blocks(text, 0, end))
    if blocks[:1] == [(len(text) - len(text.lstrip()), end)] and (fenced := FENCED.match(text)):
        inside = text[fenced.end() : text.rfind("\n", 0, end) + 1]
        return [fenced.end() + start for start in _of_program(inside)]
    return None if blocks and _parsed(text) is None else _of_program(text)


def _of_program(text: str) -> list[int]:
    lines = [0, *(found.end() for found in re.finditer(r"\r\n|\r|\n", text))]
    tree = _parsed(text)
    if tree is None and SQL.match(text):
        return [found.end() for found in END_OF_SQL.finditer(text)]
    return _by_layout(text, lines) if tree is None else _of_python(tree, lines)


def _parsed(text: str) -> ast.Module | None:
    if len(text) > LONGEST:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as those of escapes in strings
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _of_python(tree: ast.Module, lines: list[int]) -> list[int]:
    """Returns where Python's statements start. A comment belongs to the statement after it."""
    starts, last = list[int](), 0
    for statement in tree.body:
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(each.lineno for each in decorators)])
        if 0 < last < first:
            starts.append(lines[last])
        last = statement.end_lineno or first
    return starts


def _by_layout(text: str, lines: list[int]) -> list[int]:
    """Returns where statements start: at unindented lines after a blank line or after an indented block."""
    starts, is_after_block, is_after_blank = list[int](), False, False
    for start, end in zip(lines, [*lines[1:], len(text)], strict=True):
        line = text[start:end]
        if not line.strip():
            is_after_blank = True
            continue
        is_inside, goes_on = line[0] in " \t", bool(GOES_ON.match(line))
        if start and (is_after_blank or is_after_block) and not is_inside and not goes_on:
            starts.append(start)
        is_after_block, is_after_blank = is_inside or goes_on, False
    return starts
