"""Cuts the raw text of a solution into steps by the rule that was chosen for its source.

Blocks and tables stay whole. A title, a rule (``---``) and an opening tag belong to the following step, a closing tag
to the preceding one, and what ends in a colon to what it leads to. A mark alone cuts wherever it stands, and joins
nothing: whoever wrote it has said where a step ends.

Steps are pieces of the unchanged text: only white space between them, and the mark, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from labeling.errors import DomainError
from labeling.rules.texts import numbering, programs, sentences
from labeling.rules.texts.blocks import BLANK_LINES, BREAK, BREAKS, Span, without_blocks
from labeling.rules.texts.splitting import RULE, joined, split_spans
from labeling.rules.words import StepRule

VERSION = 2  # counted up whenever a rule cuts a text elsewhere than before
MARK = "<extra_0>"

LEADS = (":", "：")
# Pieces that can neither be a step nor end one.
DANGLING = re.compile(rf"{RULE.pattern}|#{{1,6}} .*|</?[a-z_]+>", re.IGNORECASE)
END_OF_THINKING = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


Told = Mapping[str, Sequence[int] | None]  # a text's hash: its parts that begin a step; None: no usable answer


class UnusedMark(DomainError):
    """A mark was given with a rule that cuts at none."""


class Cutting(NamedTuple):
    """A rule; the text at which the rule `mark` cuts (empty: MARK); the model of the rule `model`, and its answers."""

    rule: str = StepRule.USUAL.value
    mark: str = ""
    model: str = ""
    told: Told = MappingProxyType({})


USUAL = Cutting()


def rule_of(rule: str, mark: str) -> str:
    """Returns the rule, or where it is empty `mark` if there is a mark, else `usual`. Raises UnusedMark."""
    if mark and rule not in ("", StepRule.MARK):
        raise UnusedMark(f"The rule “{rule}” cuts at no mark: leave the mark out, or choose the rule “mark”.")
    return rule or (StepRule.MARK if mark else StepRule.USUAL).value


def cut_steps(text: str, how: Cutting = USUAL) -> list[str]:
    """The steps of a raw solution, in order, none blank; empty for a text without a word."""
    return [text[start:end] for start, end in cut_spans(text, how)]


def cut_spans(text: str, how: Cutting = USUAL) -> list[Span]:
    """Returns where the steps start and end. Without a model's answer, a text is cut by the usual rule."""
    if how.rule in (StepRule.USUAL, StepRule.MODEL):
        return split_spans(text)
    if how.rule == StepRule.MARK:
        return list(_trimmed(text, _between(text, re.compile(re.escape(how.mark or MARK)))))
    return _cut_at(text, _starts(text, how.rule))


def cut_into_parts(text: str) -> list[Span]:
    """The lines and sentences of a text; a model then says which of them begin a step."""
    whole = without_blocks(text)
    found = [0, *sorted({*_lines(whole), *sentences.find_starts(whole)})]
    # A sentence that begins a line begins with its indentation.
    starts = [start for before, start in pairwise(found) if text[before:start].strip()]
    return list(_trimmed(text, _between_starts(starts, len(text))))


def cut_before_parts(text: str, numbers: Iterable[int]) -> list[Span]:
    """The steps that begin at the parts with these numbers, counted from 1 and in order."""
    parts = cut_into_parts(text)
    return _cut_at(text, [parts[number - 1][0] for number in numbers])


def _cut_at(text: str, starts: Iterable[int]) -> list[Span]:
    return _led(text, joined(text, _trimmed(text, _between_starts(starts, len(text)))))


def _starts(text: str, rule: str) -> Iterable[int]:
    """Returns where pieces begin, in order, besides the text's own beginning."""
    if rule == StepRule.THINKING:
        return _starts_of_thinking(text)
    if rule == StepRule.STATEMENTS and (starts := programs.find_starts(text)) is not None:
        return starts
    return FINDERS.get(rule, _paragraphs)(without_blocks(text))


def _paragraphs(text: str) -> Iterator[int]:
    return (found.end() for found in BLANK_LINES.finditer(text))


def _lines(text: str) -> Iterator[int]:
    return (found.end() for found in BREAK.finditer(text))


def _starts_of_thinking(text: str) -> list[int]:
    """Returns where the paragraphs of thinking start, and the answer; without thinking, all paragraphs."""
    ended = END_OF_THINKING.search(text)
    thinking = text[: ended.end()] if ended else text
    return [*_paragraphs(without_blocks(thinking)), *([ended.end()] if ended else [])]


def _between(text: str, separator: re.Pattern[str]) -> Iterator[Span]:
    start = 0
    for found in separator.finditer(text):
        yield start, found.start()
        start = found.end()
    yield start, len(text)


def _between_starts(starts: Iterable[int], end: int) -> Iterator[Span]:
    last = 0
    for start in starts:
        yield last, start
        last = start
    yield last, end


def _trimmed(text: str, pieces: Iterable[Span]) -> Iterator[Span]:
    """Yields the pieces without white space around them, but for the indentation of their first line; none blank."""
    for start, end in pieces:
        piece = text[start:end]
        first = start + len(piece) - len(piece.lstrip())
        last_break = max(text.rfind(each, start, first) for each in BREAKS)
        is_line = start == 0 or text[start - 1] in BREAKS
        begin = last_break + 1 if last_break >= 0 else start if is_line else first
        if first < end:
            yield begin, start + len(piece.rstrip())


def _led(text: str, steps: Iterable[Span]) -> list[Span]:
    """Joins titles, and pieces that end in a colon, to the next step, and dangling pieces to a neighbour."""
    found, is_leading = list[Span](), False
    for (start, end), following in pairwise([*steps, (len(text), len(text))]):
        piece = text[start:end].strip()
        is_title = _is_title(piece, text[slice(*following)].strip())
        dangles = bool(DANGLING.fullmatch(piece))
        if is_leading or (dangles and found):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
        is_leading = piece.rstrip("*_ ").endswith(LEADS) or is_title or (dangles and (is_leading or len(found) == 1))
    return found


def _is_title(piece: str, following: str) -> bool:
    """Returns whether a line without any mark is the title of the text that follows."""
    if not following or "\n" in piece:
        return False
    return numbering.is_title(piece) and not (numbering.NUMERAL.match(piece) and numbering.NUMERAL.match(following))


# Each takes a text without its blocks.
FINDERS: dict[str, Callable[[str], Iterable[int]]] = {
    StepRule.PARAGRAPHS: _paragraphs,
    StepRule.LINES: _lines,
    StepRule.NUMBERED: numbering.find_steps,
    StepRule.SECTIONS: numbering.find_sections,
    StepRule.SENTENCES: sentences.find_starts,
}
