"""Final answers: where they stand in a text. Pure."""

from __future__ import annotations

import re

# \boxed{5}, \fboxed {5}
BOXED = re.compile(r"\\f?boxed\s*\{")
# What may stand between boxes that together are one answer: "$\boxed{1}$, and $\boxed{2}$".
BETWEEN_BOXES = re.compile(r"[\s$]*(?:,[\s$]*(?:and|or)?|and|or)[\s$]*")
MOST_BETWEEN = 20
BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
HEADING = re.compile(r"^#+ *(?:Final )?Answer:? *$", re.MULTILINE | re.IGNORECASE)
# GSM8K's "#### 18"; "A: 18", "Final answer: 18".
MARKED_LINES = (
    re.compile(r"^####[ \t]*(\S.*)", re.MULTILINE),
    re.compile(r"^(?:A|(?:final )?answer):[ \t]*(\S.*)", re.MULTILINE | re.IGNORECASE),
)
LINE_THAT_SAYS = re.compile(r"^.*\banswer is.*", re.MULTILINE | re.IGNORECASE)
ANSWER_IS = re.compile(r"\banswer is:?", re.IGNORECASE)
SENTENCE_END = re.compile(r"\.\s")
MOST_WRAPPED = 4


def extract_answer(text: str) -> str:
    """The final answer that a solution states, as written; empty where it states none. In time linear in the text.

    The last ``\\boxed{}`` wins, or the last ones where they are listed; then ``# Answer``, ``#### 18``, ``A: 18`` and
    "the answer is ...".
    """
    answer = ""
    for _ in range(MOST_WRAPPED):  # "# Answer" may be followed by "The answer is 5."
        if (boxed := _last_boxed(text)) is not None:
            return boxed or answer
        if not (stated := _after_heading(text) or _marked_line(text) or _after_answer_is(text)):
            break
        text = answer = stated
    return answer


def _last_boxed(text: str) -> str | None:
    """What the last box holds; of "\\boxed{1} and \\boxed{2}" both."""
    contents, follows = list[str](), len(text)
    # From the end, as long as the boxes are listed: of "not \boxed{3}. So \boxed{1} and \boxed{2}", the last two.
    for box in reversed(list(BOXED.finditer(text))):
        content = _braced(text, box.end())
        if content is None:
            break
        between = text[box.end() + len(content) + 1 : follows]
        if contents and not (len(between) <= MOST_BETWEEN and BETWEEN_BOXES.fullmatch(between)):
            break
        contents.append(content.strip())
        follows = box.start()
    return ", ".join(reversed(contents)) if contents else None


def _after_heading(text: str) -> str:
    """What follows the last heading that anything follows."""
    _, *parts = HEADING.split(text)
    return next((part.strip() for part in reversed(parts) if part.strip()), "")


def _marked_line(text: str) -> str:
    return next((str(found[-1]).strip() for marked in MARKED_LINES if (found := marked.findall(text))), "")


def _after_answer_is(text: str) -> str:
    """The rest of the last sentence that says so. A line of nothing but "The answer is the answer is" states none."""
    for line in reversed(LINE_THAT_SAYS.findall(text)):
        _, *repeated, last = ANSWER_IS.split(line.rstrip())
        whole = (SENTENCE_END.split(text, maxsplit=1)[0] for text in reversed(repeated) if SENTENCE_END.search(text))
        for stated in (SENTENCE_END.split(f"{last} ", maxsplit=1)[0], *whole):
            if stated.strip():
                return stated.strip()
    return ""


def _braced(text: str, start: int) -> str | None:
    """The text from ``start`` to the brace that closes the one just before it."""
    depth = 1
    for brace in BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth == 0:
            return text[start : brace.start()]
    return None
