"""Finds the steps that a text numbers, and its sections."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from labeling.rules.texts.blocks import BLANK_LINES, BREAK

# “Step 3” in many languages.
WORDS = (
    "step|schritt|[ée]tape|paso|passo|passaggio|etapa|stap|steg|trinn|trin|vaihe|krok|korak|pas|adım|langkah|hakbang|hatua"
    "|bước|шаг|крок|стъпка|корак|βήμα|שלב|الخطوة|الخطوه|خطوة|گام|مرحله|مرحلہ|قدم|चरण|पायरी|ধাপ|ਕਦਮ|પગલું|ପଦକ୍ଷେପ|படி|దశ|ಹಂತ|ഘട്ടം"
    "|ขั้นตอนที่|ขั้นที่|ขั้นตอน|ຂັ້ນຕອນທີ|ជំហានទី|အဆင့်|ნაბიჯი|քայլ|እርምጃ|步骤|步驟|ステップ|手順|단계"
)
DIGITS = r"\d{1,4}[a-z]?|[一二三四五六七八九十]{1,3}"
ORDINALS = (
    "[ivx]{1,6}|one|two|three|four|five|six|seven|eight|nine|ten"
    "|الأولى|الثانية|الثالثة|الرابعة|الخامسة|السادسة|السابعة|الثامنة|التاسعة|العاشرة"
)
NAMED = (
    rf"(?:(?:{WORDS})[ \t]{{0,3}}[#№]?(?:{DIGITS}|{ORDINALS})|第[ ]?(?:{DIGITS})[ ]?(?:步|歩)"
    r"|\d{1,4}(?:단계|[.][ ]?(?:adım|lépés)))(?![^\W_])"
)
LISTED = r"\d{1,3}[.)．、](?!\d)|[(（]\d{1,3}[)）]|[①-⑳]"
# Numerals that are letters, too: only where they count from one.
ROMAN = r"(?-i:[IVX]{1,6})[.)](?=[ \t])"
CHINESE = r"[一二三四五六七八九十]{1,3}[、．]|[(（][一二三四五六七八九十]{1,3}[)）]"
ONE = re.compile(r"I[.)]|[(（]?一")
MARKER = re.compile(
    r"(?P<indent>[ \t]*)(?:(?P<heading>#{1,6})[ \t]+)?(?:[-*+•][ \t]+)?(?:\*\*|__)?"
    rf"(?:(?P<named>{NAMED})|(?P<listed>{LISTED})|(?P<roman>{ROMAN})|(?P<chinese>{CHINESE}))",
    re.IGNORECASE,
)
# In running text, after the end of a sentence or clause.
INLINE = re.compile(
    rf"(?:^|(?<=[.!?;:。！？；：])|(?<=[.!?;:)*] ))(?:\*\*)?(?:(?P<named>{NAMED})|(?P<circled>[①-⑳]))",
    re.IGNORECASE | re.MULTILINE,
)
HEADING = re.compile(r"(#{1,6})[ \t]+[^\s]")
BOLD_LINE = re.compile(r"\*\*[^*\n]+\*\*:?[ \t]*(?=[\n\r\u2028\u2029]|\Z)")
# Titles in LaTeX, HTML and as Markdown underlines them.
OTHER_HEADING = re.compile(
    r"\\(?:sub)*section\*?\{|<h[1-6][ >]|[^\s>|].*(?:\r\n|[\r\n])(?:={3,}|-{3,})[ \t]*(?=[\r\n]|\Z)"
)
# Titles without any mark: a line in capitals, or a short one with a numeral.
CAPITALS = re.compile(r"[^\W\d_a-z](?:[^\w\n]{0,3}[^\W\d_a-z]){3,60}:?")
NUMERAL = re.compile(rf"(?:{ROMAN}|{CHINESE})")
NUMBERED_TITLE = re.compile(rf"{NUMERAL.pattern}[^\n.!?;。！？；=]{{1,60}}")
NO_HEADING = 7  # a level below those of all headings


class Marker(NamedTuple):
    start: int
    indent: int
    level: int


def find_steps(text: str) -> list[int]:
    """Returns where numbered steps start: at “Step 1” if there is any, else at the numbers of a list. Those of a
    nested list start none; headings, and the paragraph after the list, do. Where no two lines are numbered, returns
    where the steps start that running text counts from one.
    """
    starts = list(_lines(text))
    found = [(start, marker) for start in starts if (marker := MARKER.match(text, start))]
    named = [each for each in found if each[1]["named"]]
    markers = [
        Marker(start, len(one["indent"]), len(one["heading"] or "") or NO_HEADING)
        for start, one in named or _of_one_kind(found)
    ]
    if not markers:
        return _counted_inline(text)
    _, indent, level = markers[0]
    steps = [each.start for each in markers if each.indent <= indent]
    if len(steps) == 1 and (counted := _counted_inline(text)):
        return counted
    headings = [start for start in starts if (one := HEADING.match(text, start)) and len(one[1]) <= level]
    after = [] if named else _after_list(text, steps)
    return sorted({*steps, *headings, *after})


def _counted_inline(text: str) -> list[int]:
    """Returns where the steps start that running text counts: “Step 1: … Step 2: …”, “①…；②…”."""
    for kind in ("named", "circled"):
        found = [one for one in INLINE.finditer(text) if one[kind]]
        numbers = [_number(one[kind]) for one in found]
        if len(found) > 1 and numbers == list(range(1, len(found) + 1)):
            return [one.start() for one in found]
    return []


def _number(marker: str) -> int:
    """Returns the number in the marker; 0 for one in words."""
    digits = [unicodedata.numeric(sign) for sign in marker if sign.isnumeric()]
    return (
        int("".join(str(int(each)) for each in digits)) if digits and max(digits) < 10 else int(max(digits, default=0))
    )


def _of_one_kind(found: Sequence[tuple[int, re.Match[str]]]) -> list[tuple[int, re.Match[str]]]:
    """Keeps the markers of the same kind as the first that can begin a list: of nested lists, the outer one's."""
    counted = [each for each in found if each[1].lastgroup == "listed" or ONE.match(each[1][each[1].lastgroup or 0])]
    return [each for each in found if each[1].lastgroup == counted[0][1].lastgroup] if counted else []


def find_sections(text: str) -> list[int]:
    """Returns where headings start; of a text without any, lines that are bold from end to end, and of one without
    these, lines that look like titles.
    """
    starts = list(_lines(text))
    for heading in (HEADING, OTHER_HEADING, BOLD_LINE):
        if found := [start for start in starts if heading.match(text, start)]:
            return found
    lines = zip(starts, [*starts[1:], len(text)], strict=True)
    return [start for start, end in lines if is_title(text[start:end].strip())]


def is_title(line: str) -> bool:
    """Returns whether a line without any mark looks like a title."""
    return (line.isupper() and bool(CAPITALS.fullmatch(line))) or bool(NUMBERED_TITLE.fullmatch(line))


def _lines(text: str) -> Iterator[int]:
    yield 0
    yield from (found.end() for found in BREAK.finditer(text))


def _after_list(text: str, items: Sequence[int]) -> list[int]:
    """Returns where the first paragraph after the list starts; nowhere if an earlier item has paragraphs, too."""
    known = set(items)
    paragraphs = (found.end() for found in BLANK_LINES.finditer(text, items[0]))
    first = next((start for start in paragraphs if start not in known and text[start : start + 1].strip()), -1)
    return [first] if first > items[-1] else []
