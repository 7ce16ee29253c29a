"""The markup of texts, by how they look. Pure."""

import re
from collections.abc import Callable, Iterable

from labeling.models import Markup

MOSTLY, OFTEN, SOMETIMES = 0.5, 0.2, 0.05
FORMULA = re.compile(r"\\[([]|\\begin\{|\\[a-zA-Z]{2,}\s*\{|\$[^$\n]*[\\^_=+][^$\n]*\$")
ARITHMETIC = re.compile(r"\d\s*[-+*/×÷=]\s*\$?\(?\d|=\s*\$?-?\d")
# Blocks that are hard to read as they stand: code in a fence, and tables.
BLOCKS = re.compile(r"^ {0,3}```|^\|.*\|[ \t]*\n\|[ :|-]+\|[ \t]*$", re.M)
# A list or a heading alone is no sign: “- 3x = 6”, “# a comment” and PRM800K's “# Answer” are neither.
MARKDOWN = re.compile(
    r"^#{2,6} [A-Z*]|\*\*\S[^*\n]*\S\*\*|(?<![\w*\\])\*[^\W\d_][^*\n$=]*[^\W\d_][.)]?\*(?![\w*])|\[[^]\n]+\]\(http",
    re.M,
)
CODE_LINES = [
    re.compile(pattern)
    for pattern in (
        r"""^(?: {2,}|\t).*[\w)\]}"':;,(\[{\\]$""",  # indented
        r"[;{}]\s*$|\)\s*:\s*$",
        r"^\s*(?:#include|import|def|class|return|function|const|let|var|public|private|static|print|cout|echo)\b.*\W",
        r"^\s*(?:from\s\S+\simport|(?:for|if|while)\s*\(|SELECT|INSERT|UPDATE|CREATE|FROM|WHERE)\b",
        r"^(?:diff --git|@@ |--- \S|\+\+\+ \S|\+(?!\s*[\d(]))",
        r"^(?:\$|>>>|#!?|//|/\*) ?\S",  # a prompt, a comment
        r"""^[\w.\[\]]+\s*(?:[-+*/]?=|<-|:=)\s*[\w"'\[({]""",
        r"^[\w.]+\(.*\)\s*$",
    )
]


def guess(texts: Iterable[str]) -> str:
    """The markup that most suits these texts of a source: plain only if there is nothing of mathematics in them."""
    given = [text for text in texts if text.strip()]
    if _share_with(given, _is_code) > MOSTLY:
        return Markup.CODE
    if _share_with(given, BLOCKS.search) >= SOMETIMES or _share_with(given, MARKDOWN.search) >= OFTEN:
        return Markup.MARKDOWN
    has_mathematics = any(FORMULA.search(text) or ARITHMETIC.search(text) for text in given)
    return Markup.MATHEMATICS if has_mathematics or not given else Markup.PLAIN


def _share_with(texts: list[str], has: Callable[[str], object]) -> float:
    return sum(bool(has(text)) for text in texts) / max(1, len(texts))


def _is_code(text: str) -> bool:
    """Returns whether most of the text's lines are code; a formula or a sentence is not."""
    lines = [line for line in text.splitlines() if line.strip()]
    code = sum(any(pattern.search(line) for pattern in CODE_LINES) for line in lines)
    return code > MOSTLY * len(lines) and not FORMULA.search(text) and "```" not in text
