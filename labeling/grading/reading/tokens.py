"""Cuts an answer into numbers, commands, words and signs, and keeps a reader's place among them. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from labeling.grading.reading.writing import TEXT

Kind = Literal["number", "text", "command", "word", "sign"]
TOKEN = re.compile(
    r"(?P<number>(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,4}(?![\w.]))?)"
    r"|(?P<text>" + TEXT.pattern + r")"
    r"|(?P<command>\\(?:[A-Za-z]+|[{}|\\]))"
    r"|(?P<word>[A-Za-z]+)"
    r"|(?P<sign>[-+*/^_(){}\[\]|,;:=<>!'%&])"
)
WORDS = re.compile(r"[A-Za-z .^/-]*")
# Words that are mathematics: \operatorname{lcm}, \mathrm{e}
TRIGONOMETRIC = "sin cos tan cot sec csc arcsin arccos arctan arccot sinh cosh tanh coth cis"
OTHERS = "exp sgn gcd lcm max min ln log lg sqrt pi mod"
NAMES = {*TRIGONOMETRIC.split(), *OTHERS.split()}
LETTERS = {"e", "i", "d", "π"}


class NotUnderstood(Exception):
    """The text is not mathematics, or not understood in full."""


@dataclass(frozen=True)
class Token:
    kind: Kind
    text: str
    is_spaced: bool = False  # whether a space is before it


END = Token("sign", "")


def tokens(text: str) -> list[Token]:
    """Cuts the text into tokens. Raises NotUnderstood if a part of it is none."""
    found, at, is_spaced = list[Token](), 0, False
    while at < len(text):
        if text[at].isspace():
            at, is_spaced = at + 1, True
            continue
        part = TOKEN.match(text, at)
        if part is None:
            raise NotUnderstood
        kind: Kind = next(kind for kind in ("number", "text", "command", "word", "sign") if part[kind] is not None)
        found += _text_tokens(part["text"], is_spaced) if kind == "text" else [Token(kind, part[0], is_spaced)]
        at, is_spaced = part.end(), False
    return found


def _text_tokens(command: str, is_spaced: bool) -> list[Token]:
    r"""The tokens of a text command: ``\text{ cm}`` stays words, ``\text{1}`` is 1."""
    inside = TEXT.fullmatch(command)
    assert inside is not None
    content = inside[1].strip()
    if content in NAMES | LETTERS | {"and", "or"}:
        return [Token("word", content, True)]
    if not content:
        return []
    if WORDS.fullmatch(content):
        return [Token("text", content, True)]
    return tokens(f" {content}")


class Cursor:
    """The tokens, and the place of the next one."""

    def __init__(self, found: list[Token]) -> None:
        self.tokens, self.at = found, 0

    @property
    def next(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else END

    @property
    def previous(self) -> Token:
        return self.tokens[self.at - 1] if self.at else END

    def take(self, *texts: str) -> str:
        """Takes the next token if it is one of `texts`. Returns its text, or an empty string."""
        if self.at < len(self.tokens) and self.next.kind != "text" and self.next.text in texts:
            self.at += 1
            return self.previous.text
        return ""

    def expect(self, *texts: str) -> None:
        if not self.take(*texts):
            raise NotUnderstood

    def split(self, length: int) -> str:
        """Takes the first `length` characters of the next token; the rest becomes the next one."""
        token = self.next
        rest = [Token(token.kind, token.text[length:])] if len(token.text) > length else []
        self.tokens[self.at : self.at + 1] = [Token(token.kind, token.text[:length], token.is_spaced), *rest]
        self.at += 1
        return token.text[:length]
