"""Finds the final answer in a text. Pure."""

from __future__ import annotations

import re

from labeling.rules.texts.answer_phrases import is_mathematics, stated, value_of

# \boxed{5}, \fbox {5}, \boxed 5
BOXED = re.compile(r"\\(?P<kind>fbox|f?boxed)\s*(?:\{|(?P<bare>[-−]?[\dA-Za-z][\w.,/]*))")
# What may stand between boxes that together are one answer: "$\boxed{1}$, and $\boxed{2}$", "$x=\boxed{3}$ or $x=".
BETWEEN_BOXES = re.compile(r"[\s$]*(?:,[\s$]*(?:and|or)?|and|or)[\s$]*(?:[A-Za-z](?:_\{?\w\}?)?\s*=\s*)?")
MOST_BETWEEN = 20
# What belongs to the number in a box: \boxed{20} percent, $\boxed{3}$ million. Not $\boxed{20}\%$, nor $\boxed{20}$
# percent: where the box is part of a formula, MATH's reference answers are what the box holds.
UNIT = re.compile(
    r"\s*(\\?%(?!\s*[$\\])|per ?cent\b|°|\^\{?\\circ\}?)|"
    r"\$?\s*((?:hundred|thousand|million|billion|trillion|dozen)\b)",
    re.IGNORECASE,
)
BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
TAG = re.compile(r"<answer>(.*?)(?:</answer>|\Z)", re.DOTALL | re.IGNORECASE)
# One of these stands in every text that has a tag, a thought or the end of a turn; few others have one.
TOKENS = re.compile("<[/|｜aetrAETR]|◁|# END!")
# What ends a model's thoughts, which are not its answer; what begins them; what ends its turn (“# END!” in PRM800K).
THOUGHT = re.compile(
    r"</think(?:ing)?>|</reasoning>|◁/think▷|<\|end_of_thought\|>|<\|channel\|>final<\|message\|>", re.IGNORECASE
)
THINKING = re.compile(r"<think(?:ing)?>|<reasoning>|◁think▷|<\|begin_of_thought\|>", re.IGNORECASE)
TURN_END = re.compile(
    r"<\|(?:im_end|endoftext|end_of_text|eot_id|eom_id|end|return|end_of_solution)\|>|</s>|<eos>|<end_of_turn>|"
    r"<｜end▁of▁sentence｜>|^# END!",
    re.MULTILINE,
)
BOLD_LINE = re.compile(r"(?:\A|\n)[ \t]*\*\*([^*\n]+)\*\*[ \t.]*\Z")
NUMBER = re.compile(
    r"(?:\$|\\\(|\\\[)?\s*[-−]?[$€£]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+|/\d+)?\s?%?\s*(?:\$|\\\)|\\\])?\.?"
)
# “A: Janet has ... So it is 6.” is marked as an answer, and ends with it.
MARKED = re.compile(r"^(?:A|Answer|答)[:：]", re.MULTILINE | re.IGNORECASE)
CONCLUDED = re.compile(r"\b(?:is|are|equals|=)\s+(\S[^.\n]{0,60}(?:\.\d[^.\n]{0,20})?)\.?\s*\Z")
LONGEST_END = 200
TAKEN_BACK = re.compile(
    r"\b(?:wait|hmm|hold on)\b[^\n]{0,80}\b(?:wrong|incorrect|mistake|not right|error)|\b(?:that|this|it)"
    r"(?:['’]s| is| was| seems| cannot be| can['’]t be) (?:wrong|incorrect|not (?:right|correct)|a mistake)",
    re.IGNORECASE,
)
SOON = 150


def extract_answer(text: str) -> str:
    r"""The final answer that a solution states, as written; empty if it states none. Time is linear in the text.

    The last statement counts: ``<answer>5</answer>``, ``\boxed{5}`` (or several, if they are listed), or words, such as
    ``#### 18``, ``A: 18``, ``**Answer:** 18`` and “the answer is 18”, in many languages. Words after a box count if
    they state mathematics. Thoughts (``<think>``) state nothing, nor does an answer that is retracted at once.
    """
    if TOKENS.search(text):
        text = _without_thoughts(text)
        if tag := next((tag for tag in reversed([*TAG.finditer(text)]) if tag[1].strip()), None):
            return _last_stated(text[tag.end() :]) or _last_stated(tag[1]) or value_of(tag[1].lstrip())
    return _last_stated(text) or _alone(text) or _concluded(text)


def _without_thoughts(text: str) -> str:
    """The text without its thoughts, and without anything after the end of its turn."""
    start = len(text) - len(text.lstrip())
    over = next((found.start() for found in TURN_END.finditer(text) if found.start() > start), len(text))
    *_, thoughts_end = 0, *(found.end() for found in THOUGHT.finditer(text, 0, over))
    unfinished = THINKING.search(text, thoughts_end, over)
    return text[thoughts_end : unfinished.start() if unfinished else over]


def _last_stated(text: str) -> str:
    boxed, end = _last_boxed(text) if "box" in text else ("", 0)
    later = next(((value, at) for at, value in stated(text[end:]) if not boxed or is_mathematics(value)), None)
    answer, end = (later[0], end + later[1]) if later else (boxed, end)
    return "" if TAKEN_BACK.search(text, end, end + SOON) else answer


def _last_boxed(text: str) -> tuple[str, int]:
    r"""The content of the last box, and where it ends; of "\boxed{1} and \boxed{2}", both."""
    contents, follows, end, kind = list[str](), len(text), 0, ""
    # From the end, as long as the boxes are listed: of "not \boxed{3}. So \boxed{1} and \boxed{2}", the last two.
    for box in reversed(list(BOXED.finditer(text))):
        content = box["bare"] or _braced(text, box.end())
        if content is None:
            break
        closed = box.end() if box["bare"] else box.end() + len(content) + 1
        between = text[closed:follows]
        is_listed = box["kind"] == kind and len(between) <= MOST_BETWEEN and BETWEEN_BOXES.fullmatch(between)
        if end and not is_listed:
            break
        if content.strip():
            minus, unit = "-" * (text[box.start() - 1 : box.start()] in {"-", "−"}), UNIT.match(text, closed)
            contents.append(f"{minus}{content.strip()}{f' {unit[1] or unit[2]}' if unit else ''}")
        follows, end, kind = box.start(), end or closed, box["kind"]
    return ", ".join(reversed(contents)), end


def _braced(text: str, start: int) -> str | None:
    """The text from ``start`` to the brace that closes the one just before it."""
    depth = 1
    for brace in BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(brace[0], 0)
        if depth == 0:
            return text[start : brace.start()]
    return None


def _alone(text: str) -> str:
    """A number that is the whole text, or bold mathematics that is its last line; else empty."""
    text = text.strip()
    if (bold := BOLD_LINE.search(text)) and is_mathematics(bold[1]):
        return value_of(bold[1])
    return value_of(text) if NUMBER.fullmatch(text) else ""


def _concluded(text: str) -> str:
    """The value at the end of a text that is marked as an answer."""
    found = CONCLUDED.search(text, max(0, len(text) - LONGEST_END)) if MARKED.search(text) else None
    return value_of(found[1]) if found and is_mathematics(found[1]) else ""
