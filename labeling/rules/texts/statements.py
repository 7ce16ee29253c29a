"""Compares statements: which are the same problem, and how much alike others are (pure)."""

import re
import unicodedata
from functools import lru_cache

# Drawn as nothing: soft hyphens, zero-width and direction marks, variation selectors, byte order marks.
UNSEEN = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufe00-\ufe0f\ufeff]")
ESCAPED = re.compile(r"\\([$%&#_])")
LOOK_ALIKES = str.maketrans("‐‑‒–—―−‘’‚‛“”„‟", "-------''''\"\"\"\"") | {ord("…"): "..."}
FENCE = "```"
WIDE = re.compile(r"[^\S\t]")
SIGN = re.compile(r" ?([-+]) ")
# Spaces that separate nothing. What stays: between words; in `3. 5`, `1, 234` and `3 .5`; before a sign, in `5 -3`.
NEEDLESS = re.compile(
    r"(?<![\w.,:')\]}]) "  # after an operator, an opening bracket, a dollar sign
    r"| (?![\w.,:'+-])"  # before them, or before a closing one
    r"|(?<=[.,:']) (?!\d)| (?=[.,:'](?!\d))"  # beside punctuation that is in no number
    r"|(?<=[)\]}]) (?![+-])"
)

EAST_ASIAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # written without spaces: each character is a word
WORD = re.compile(rf"[{EAST_ASIAN}]|[^\W_{EAST_ASIAN}]+|[-+*/=<>^!|]")
TOGETHER = 3


@lru_cache(maxsize=4096)  # several solutions of one problem come one after another
def identity(statement: str) -> str:
    r"""The statement without differences that make no other problem: spacing (inside code fences, only at line ends),
    line ends, composed or decomposed accents, typographic quotes and dashes, invisible characters, and the backslash of
    `\$`. Case, digits and notation count: `x²` is not `x2`.
    """
    text = unicodedata.normalize("NFC", UNSEEN.sub("", statement)).translate(LOOK_ALIKES)
    prose_and_code = ESCAPED.sub(r"\1", text).split(FENCE)
    prose_and_code[::2] = map(_tight, prose_and_code[::2])
    prose_and_code[1::2] = map(_trimmed, prose_and_code[1::2])
    return FENCE.join(prose_and_code)


def _tight(prose: str) -> str:
    return NEEDLESS.sub("", SIGN.sub(r"\1", " ".join(prose.split()))).strip()


def _trimmed(code: str) -> str:
    return "\n".join(WIDE.sub(" ", line).rstrip() for line in code.splitlines())


@lru_cache(maxsize=4096)  # likewise
def shingles(statement: str) -> frozenset[str]:
    """The statement's runs of three neighbouring words, numbers or operators, without case and punctuation."""
    words = WORD.findall(unicodedata.normalize("NFC", UNSEEN.sub("", statement)).translate(LOOK_ALIKES).casefold())
    neighbours = zip(*(words[start:] for start in range(TOGETHER)), strict=False)
    return frozenset(map(" ".join, neighbours)) or frozenset([" ".join(words)])


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of shingles that both have, from 0 to 1 (Jaccard)."""
    return len(one & other) / len(one | other)
