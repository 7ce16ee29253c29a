"""Finds the sentences of a text in any script: by their full stops, by lines, in Thai by the words that begin one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labeling.rules.texts.blocks import BLANK_LINES, BREAK, OPAQUE, Span, replaced
from labeling.rules.texts.numbering import NAMED

INLINE = "\ue000"  # stands for math and code inside a line
TOKEN = re.compile(rf"\\\(|\\\)|\$|`+|{BREAK.pattern}")
CLOSING = {"\\(": "\\)"}
CLOSERS = r"[\"'”’»›)\]}*_」』）】》〉]*"
OPPOSITE_CLOSERS = r"[“«]?"  # as in „Nein.“ and »Nein.«
# Full stops of scripts that put no space after them: CJK, Arabic and Urdu, Devanagari and its kin, Ethiopic, Burmese,
# Khmer, Armenian, Tibetan.
FULL_STOPS = "。！？｡؟۔।॥።፧။។៕։༎"
THAI = r"\u0e01-\u0e5b"
THAI_BEGINNINGS = (
    "ดังนั้น|เพราะฉะนั้น|ฉะนั้น|จากนั้น|หลังจากนั้น|ต่อไป|ต่อมา|สุดท้าย|ในที่สุด|ขั้นตอน|ขั้นแรก|ขั้นที่|อันดับแรก"
    "|เริ่มจาก|นอกจากนี้|อย่างไรก็ตาม|สรุป|คำตอบ"
)
END = re.compile(
    rf"(?P<breaks>{BREAK.pattern}\s*)|(?P<full>[{FULL_STOPS}]+){CLOSERS}|(?P<run>[.!?…．]+){CLOSERS}{OPPOSITE_CLOSERS}"
    rf"|(?P<thai>(?<=[{THAI}\d){INLINE}])[ ]+(?={THAI_BEGINNINGS})|(?<=[{THAI}])[ ]{{2,}}(?=[{THAI}]))"
)
SPACE = re.compile(r"\s*")
CONTINUED = re.compile(rf"{OPAQUE}|[^\W\d_]{{2}}")
UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
# Signs at which no sentence starts: what is before them was a number, or a name, and no full stop.
NO_START = frozenset("=+<>≤≥≠≈×÷/^%&|,;:)]}")
WORD = re.compile(r"[^\s(\[“\"'‘]*\Z")
ABBREVIATION = re.compile(
    "mrs?|ms|dr|prof|st|vs|cf|approx|resp|ca|bzw|vgl|evtl|mme|mlle|sra|srta|dra|uds?|tzn|напр", re.IGNORECASE
)
BEFORE_NUMBER = re.compile(
    "figs?|eqs?|nos?|nr|thm|lem|prop|def|cor|sect?|ch|pp?|vol|art|abb|núm|pág|tab|рис|стр|табл|ст|abs|para|cl|cir|supp"
    "|al|kap|anm|rn|gem|ziff|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec",
    re.IGNORECASE,
)
WORDY = re.compile(rf"[\w{OPAQUE}{INLINE}]")
INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])+")
TIMES = frozenset({"a.m", "p.m"})
MONTHS = re.compile(r"(?:Jan|Feb|März|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)")  # after the day, as in “3. Mai”
QUOTED = re.compile(r"[」』](?=と|って)")  # and the sentence goes on: “… said”
FORENAME = re.compile(r"(?:\s[^\W\d_a-z][^\W\d_]+|[^\W\d_a-z][^\W\d_]*\.)[ ][^\W\d_a-z]\Z")  # “Judge A. Smith”
STARTERS = re.compile(r"(?:The|Then|This|Thus|That|So|It|He|She|We|Hence|But|And|If|In|For|Let|Since|Now|As|By|To)\b")
SPACED_INITIALS = re.compile(r"[^\W\d_]\.[ \u00a0][^\W\d_]\.")  # “z. B.”, “т. е.”, “J. R.”
VERSUS = re.compile(r"[^\W\d_]\w*[,.]?[ ]v\Z")  # “Roe v. Wade”
ENUMERATOR = re.compile(rf"[\s*_#-]*(?:{NAMED}|(?-i:[IVX]{{1,6}}))[*_]*", re.IGNORECASE)
LONGEST_WORD = 16
LONGEST_PARENTHESIS = 80


def find_starts(text: str) -> list[int]:
    """Returns where sentences start, besides the first. Blocks must have been replaced by OPAQUE.

    A sentence goes on in the next line if that starts with a small letter, or is a block.
    """
    text = replaced(text, _inline(text), lambda inline: INLINE * len(inline))
    starts, begin, looked, has_word = list[int](), 0, 0, False
    for end in END.finditer(text):
        has_word = has_word or bool(WORDY.search(text, looked, end.end()))
        looked = end.end()
        start = _start_after(text, end, begin) if has_word else None
        if start is not None and begin < start < len(text):
            starts.append(start)
            begin, looked, has_word = start, start, False
    return starts


def _inline(text: str) -> Iterator[Span]:
    """Yields math and code inside a line, with their delimiters. A dollar spaced like a price closes none."""
    start, closing = 0, ""
    for token in TOKEN.finditer(text):
        sign, at = token[0], token.start()
        is_closed = sign == closing and not (sign == "$" and _is_price(text, at))
        if is_closed:
            yield start, token.end()
        if is_closed or sign[0] in "\n\r\u2028\u2029":
            closing = ""
        elif (not closing or sign == closing) and sign != "\\)":
            start, closing = at, CLOSING.get(sign, sign)


def _is_price(text: str, at: int) -> bool:
    """Returns whether this dollar is of a price, and so closes no formula."""
    return text[at - 1 : at].isspace() or text[at + 1 : at + 2].isdigit()


def _start_after(text: str, end: re.Match[str], begin: int) -> int | None:
    """Returns where the next sentence starts, if this is the end of the one that starts at `begin`."""
    start = end.end() + len(SPACE.match(text, end.end())[0])  # type: ignore[index]  # it matches anywhere
    if end["breaks"]:
        return None if _goes_on(text, end[0], start) else start
    if end["full"] or end["thai"]:
        return None if QUOTED.match(text, end.end() - 1) else start
    word, following = _word_before(text, end.start(), begin), text[start : start + 1]
    is_end = _stops(end["run"], word, following) if start > end.end() else _stops_unspaced(end["run"], word, following)
    return start if is_end and not _is_abbreviated(text, word, end, begin) else None


def _goes_on(text: str, breaks: str, start: int) -> bool:
    following = CONTINUED.match(text, start)
    if following is None or BLANK_LINES.match(breaks):
        return False
    return following[0] == OPAQUE or following[0][0].islower()


def _stops(run: str, word: str, following: str) -> bool:
    """Says whether a sentence can start with the following sign, after a space."""
    is_factorial = run == "!" and (word[-1:].isdigit() or word[-1:] == ")") and following in "-*"
    return not (following.islower() or following in NO_START or is_factorial)


def _stops_unspaced(run: str, word: str, following: str) -> bool:
    """Says whether a sentence can start right here: only in scripts without spaces, not inside a name or an address."""
    is_latin = word[-1:].isascii() and not word[-1:].isdigit()
    return UNSPACED.match(following) is not None and "…" not in run and not is_latin


def _word_before(text: str, at: int, begin: int) -> str:
    found = WORD.search(text[max(begin, at - LONGEST_WORD) : at])
    return found[0] if found else ""


def _is_abbreviated(text: str, word: str, end: re.Match[str], begin: int) -> bool:
    """Says whether the full stop belongs to the word: an abbreviation, initials, the number of a list's item."""
    if end["run"] != ".":
        return False
    bare = word.strip("*_#-")
    following = text[end.end() : end.end() + 2].strip()
    if BEFORE_NUMBER.fullmatch(bare) and (following.isdigit() or following[:1] in (INLINE, "(", "§")):
        return True
    if ABBREVIATION.fullmatch(bare) or (INITIALS.fullmatch(bare) and bare.lower() not in TIMES):
        return True
    if bare.isdigit() and MONTHS.match(text, end.end() + 1):
        return True
    return _is_enumerator(text, word, end, begin) or _is_of_name(text, end) or _is_inside(text, begin, end.start())


def _is_enumerator(text: str, word: str, end: re.Match[str], begin: int) -> bool:
    """Says whether the sentence has only been numbered so far, as in “2.”, “b.”, “IV.” or “Step 3.”."""
    at, bare = end.start() - len(word), word.strip("*_#-")
    is_first = at - begin < LONGEST_WORD and not text[begin:at].strip("*_#-+ \t")
    is_numbered = at - begin < 2 * LONGEST_WORD and ENUMERATOR.fullmatch(text, begin, end.start()) is not None
    return is_numbered or (is_first and (bare.isdigit() or (len(bare) == 1 and bare.isalpha())))


def _is_of_name(text: str, end: re.Match[str]) -> bool:
    """Returns whether the full stop is of spaced initials, of a forename's, or of “v.” between parties to a case."""
    at = end.start()
    if FORENAME.search(text, max(0, at - 2 * LONGEST_WORD), at) and not STARTERS.match(text, end.end() + 1):
        return text[end.end() + 1 : end.end() + 2].isupper()
    first, second = SPACED_INITIALS.match(text, at - 1), SPACED_INITIALS.match(text, max(0, at - 4))
    is_first = first is not None and not text[at - 2 : at - 1].isalnum()
    is_second = second is not None and second.end() == at + 1 and not text[max(0, at - 5) : at - 4].isalnum()
    versus = VERSUS.search(text, max(0, at - 2 * LONGEST_WORD), at)
    return is_first or is_second or (versus is not None and versus[0][0].isupper())


def _is_inside(text: str, begin: int, at: int) -> bool:
    """Returns whether `at` is inside a parenthesis that closes soon, in the same line."""
    opened = text.rfind("(", max(begin, at - LONGEST_PARENTHESIS), at)
    if opened < 0 or ")" in text[opened:at]:
        return False
    rest = text[at : at + LONGEST_PARENTHESIS]
    closes = rest.find(")")
    return closes >= 0 and BREAK.search(rest, 0, closes) is None and "(" not in rest[:closes]
