"""Finds the steps that a text numbers, and its sections."""

from __future__ import annotations

import re
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
MARKER = re.compile(
    r"(?P<indent>[ \t]*)(?:(?P<heading>#{1,6})[ \t]+)?(?:[-*+•][ \t]+)?(?:\*\*|__)?"
    rf"(?:(?P<named>{NAMED})|(?P<listed>{LISTED}))",
    re.IGNORECASE,
)
HEADING = re.compile(r"(#{1,6})[ \t]+[^\s]")
BOLD_LINE = re.compile(r"\*\*[^*\n]+\*\*:?[ \t]*(?=[\n\r\u2028\u2029]|\Z)")
NO_HEADING = 7  # a level below those of all headings


class Marker(NamedTuple):
    start: int
    indent: int
    level: int


def find_steps(text: str) -> list[int]:
    """Returns where numbered steps start: at “Step 1” if there is any, else at the numbers of a list. Those of a list
    inside another one start none; headings, and what follows the list, do.
    """
    starts = list(_lines(text))
    found = [(start, marker) for start in starts if (marker := MARKER.match(text, start))]
    named = [each for each in found if each[1]["named"]]
    markers = [
        Marker(start, len(one["indent"]), len(one["heading"] or "") or NO_HEADING) for start, one in named or found
    ]
    if not markers:
        return []
    _, indent, level = markers[0]
    steps = [each.start for each in markers if each.indent <= indent]
    headings = [start for start in starts if (one := HEADING.match(text, start)) and len(one[1]) <= level]
    after = [] if named else _after_list(text, steps)
    return sorted({*steps, *headings, *after})


def find_sections(text: str) -> list[int]:
    """Returns where headings start; of a text without any, lines that are bold from end to end."""
    starts = list(_lines(text))
    headings = [start for start in starts if HEADING.match(text, start)]
    return headings or [start for start in starts if BOLD_LINE.match(text, start)]


def _lines(text: str) -> Iterator[int]:
    yield 0
    yield from (found.end() for found in BREAK.finditer(text))


def _after_list(text: str, items: Sequence[int]) -> list[int]:
    """Returns where the first paragraph after the list starts; nowhere if an earlier item has paragraphs, too."""
    known = set(items)
    paragraphs = (found.end() for found in BLANK_LINES.finditer(text, items[0]))
    first = next((start for start in paragraphs if start not in known and text[start : start + 1].strip()), -1)
    return [first] if first > items[-1] else []
