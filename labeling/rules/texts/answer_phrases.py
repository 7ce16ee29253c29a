"""Answers stated in words: “The answer is 5”, "**Réponse :** 5", “答案是 5”, "(B) is the correct answer". Pure.

A statement has a noun (NOUNS), a link (“is”, a colon, the end of a heading) and a value. A value is mathematics, a
number with its unit, the letter of a choice, or a few words that don't look like a sentence. In doubt there is no
statement: no answer is better than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

WINDOW = 400  # characters; no statement is longer
MOST_STATEMENTS = 100
TAIL = 300  # where most statements stand: looked through first
MOST_WORDS = 6

# How each noun for an answer begins, and the rest of it; in lower case. Most texts have one of these beginnings or
# none, which is quickly seen.
NOUNS = {
    "answer": r"s?(?: choice)?(?![a-z])",
    "ans": r"(?=[:=. ])",
    "a:": "",
    "####": "",
    "final result": "",
    "correct ": r"(?:option|choice)",
    "right ": r"(?:option|choice)",
    "best ": r"(?:option|choice)",
    "option ": r"\(?[a-j]\)? is (?:the )?(?:correct|right)",
    "choice ": r"\(?[a-j]\)? is (?:the )?(?:correct|right)",
    "réponse": "",
    "reponse": "",
    "respuesta": "",
    "resposta": "",
    "risposta": "",
    "răspuns": r"(?:ul)?",
    "antwo": r"(?:ord|rt)",
    "svar": r"(?:et)?(?![a-z])",
    "odpowied": r"[zź]",
    "cevap": "",
    "yanıt": "",
    "jawaban": r"(?:nya)?",
    "đáp ": r"(?:án|số)",
    "câu trả lời": "",
    "ответ": r"(?![а-я])",
    "відповідь": "",
    "απάντηση": "",
    "答": r"(?:案|え|(?=[:：]))",
    "解答": "",
    "正解": "",
    "故选": "",
    "故選": "",
    "답": "",
    "उत्तर": "",
    "উত্তর": "",
    "คำตอบ": "",
    "إجابة": "",
    "اجابة": "",
    "جواب": "",
    "پاسخ": "",
    "תשובה": "",
}
ASCII_NOUNS = tuple(filter(str.isascii, NOUNS))
ONLY_AT_LINE_START = {"a:", "ans", "####", "答"}
NEEDS_NO_LINK = {"故选", "故選", "उत्तर", "উত্তর", "答案", "ответ"}
ADJECTIVES = (
    r"(?:\s*(?:final|finale|corr?ecte?|correcta|corretta|النهائية|النهائي|الصحيحة|الصحيح|הסופית|הנכונה|应该|應該|应当|项|項|"
    r"\([^()\n]{1,40}\)))*"
)
OF_WHAT = r"(?:\s+(?:to|of|for) (?!part|\(|the (?:first|second|third|last|previous|next))[^.:=\n]{1,60}?(?=\s+is\b))?"
LINKS = (
    r"(?:(?:is|are|equals|(?:must|should|would|will) be|(?:comes out|turns out) to be|est|es|é|è|ist|lautet|sind|är|er|"
    r"adalah|là|este|равен|равно|будет|είναι|هو|هي|هى|است|היא|הוא)(?!\w)|[是为為はがहै]|等于|는|은|है|হল|হলো|คือ)"
)
EMPHASIS = r"[\s*_`\"“”«»>]*"
QUALIFIERS = (
    r"(?:(?:therefore|thus|hence|then|so|now|simply|just|indeed|clearly|actually|exactly|precisely|approximately|about|"
    r"around|roughly|nearly|probably|equal to|given by|as follows|the (?:number|value)(?= [-$\\\d])|donc|"
    r"également|also|somit|entonces|quindi|portanto|environ|etwa|aproximadamente)(?!\w)|约|約|大约|\\approx|[≈~,:：])"
)
LINKED = re.compile(
    rf"{ADJECTIVES}{OF_WHAT}{EMPHASIS}(?:,?{LINKS}|[:：=﹕]|(?<=\s)[-–—](?=\s)){EMPHASIS}"
    rf"(?:(?:{LINKS}|[:：=]|{QUALIFIERS}){EMPHASIS})*"
)
HEADING_START = re.compile(
    r"(?:\A|\n)[ \t#*_>-]*(?:(?:the|my|our|final|correct|la|le|die|最终|最終|正确|正確|अंतिम|सही) ?)*\Z"
)
HEADING_END = re.compile(rf"{ADJECTIVES}[ \t*_]*\n\s*[*_`]*")
WITHOUT_LINK = re.compile(r"\s*(?=[-\d$\\(（a-z])")
# Directly before "the answer" or a value.
DOUBT = re.compile(
    r"\b(?:if|whether|check|verify|confirm|suppose|assum(?:e|ing)|unless|until|say)(?: that)?(?: (?:the|our|my|its))?"
    r"(?: \w+)? ?\Z|\ban \Z"
)
VALUE_FIRST = re.compile(
    r"(?:\A|[\s*_])(?P<value>\*\*[^*\n]{1,60}\*\*|\$[^$\n]{1,100}\$|\\\([^\n]{1,100}?\\\)|"
    r"(?:option |choice )?\(?[a-j]\)?|[-−]?[$€£]?\d[\d.,/]*(?: ?%| [a-z]+)?)[*_]* "
    r"(?:is|as) (?:the|our|my) (?:(?:final|correct|right|required|desired) )*\Z"
)

MATH = r"\$\$[^$]*+\$\$|\$[^$\n]*+\$|\\\([^\n]*?\\\)|\\\[.*?\\\]|\\begin\{(\w+\*?)\}.*?\\end\{\1\}"
# What ends a value: a sentence's end, a tag, a reason, an aside.
REASON = (
    r"because|since|so|which|hence|therefore|thus|due to|given that|obtained|according|in total|in all|altogether|"
    r"as (?:we|it|the|there|this|that)|and (?:we|so|the|it|this|that|then|not)|but|rather|instead|(?:or )?equivalently|"
    r"or (?:about|approximately|roughly)|i\.e\.|"
    r"parce|car|weil|denn|porque|ya que|perché|poiché|потому|так как|لأن|क्योंकि"
)
END = (
    rf"(?<![\d)])!|[.?…]+[!?]*(?=[\s\"'”’)*_`\]]*(?:\s|\Z|<))|[。।！？؟]|\n|</?[a-z]+/?>|,?\s+\(?(?:{REASON})(?!\w)|"
    r",\s+(?=(?:it|he|she|they|the|we|there|this|that)\b)|;\s+(?=[a-z]+ [a-z])|\s\((?=[A-Za-z]{3,} )|"
    r"\s-\s(?=[A-Za-z]{3})|\s[–—]\s(?=[A-Za-z]+ [a-z]{2})|[，،](?!\s*[-\d$\\])"
)
# Not `*+`: before 3.11.5, Python goes past the end with it where an alternative backtracks (gh-106052).
VALUE = re.compile(rf"(?:{MATH}|(?!{END}).)*", re.DOTALL | re.IGNORECASE)
TRAILING = re.compile(
    r"(?:[\s*_`\"“”'’»,.:;!]|です|である|だ|となります|になります|입니다|이다|है|हैं|होगा|ки|个|個|개)+\Z"
)
FACTORIAL = re.compile(r"[\d)]!\Z")  # or an exclamation: "The answer is 5!"
WHICH = re.compile(r",?\s+which is\b")
BULLETS = re.compile(r"(?:[ \t]*(?:[-*•]|\d+[.)])[ \t]+[^\n]+(?:\n|\Z))+")
BULLET = re.compile(r"[ \t]*(?:[-*•]|\d+[.)])[ \t]+")
ARITHMETIC = re.compile(r"(?:[-+*/\s.,()^$×·÷%]*\d[-+*/\d\s.,()^$×·÷%]*=)+(?=[^=]+\Z)")
NEGATED = re.compile(
    r"(?:not|nicht|kein|pas|не|no es|non)\b|.*(?:ではな|ではあり|아니|아닙|नहीं|ليس)", re.IGNORECASE | re.DOTALL
)
KNOWN = re.compile(
    r"(?:(?:does not|doesn['’]t) exist|cannot be determined|not (?:enough information|possible|defined))", re.IGNORECASE
)
FORMULA = re.compile(rf"{MATH}|\\[a-zA-Z]+(?:\{{[^{{}}]*\}})?", re.DOTALL)
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
# Words of sentences, and of what an answer is like.
PROSE = frozenset(
    WORD.findall(
        "about above after already also always am any as at be been before below between both but by can "
        "compute consider could did do each either every exactly find first follows for found from get gets "
        "give given gives greater had has have he hence her here his how if in incorrect into is it its "
        "itself just least less let like likely look may means might more most must my need neither never "
        "next not now obtained on our out over same see she should simple so some still such sum than that "
        "their them then there therefore these they this those thus too unclear unique unknown us use used "
        "was we were what when where whether which while who will with within would wrong you your difference "
        "product correct right invalid obvious clear consistent independent based expected asked required "
        "needed number integer fraction value result function formula expression digit percentage ratio area "
        "length question problem answer step "
    )
)
MATHEMATICS = re.compile(r"\d|\\[a-zA-Z]|\$.+\$")
LETTER = re.compile(r"\(?[A-Za-z]\)?")
LATIN = re.compile(r"[a-z0-9]")
NOT_FIRST = re.compile(r"(?:of|to|and|or)\b")


def stated(text: str) -> Iterator[tuple[int, str]]:
    """Yields the values that the text states as its answer, the last one first, each with its statement's start."""
    lower = text.lower()
    if len(lower) != len(text):  # İ, as two characters
        lower = text
    end = len(lower)
    for start in (max(0, end - TAIL), 0):
        for noun in reversed(_nouns(lower, start)):
            is_within_word = LATIN.fullmatch(lower, max(0, noun.start() - 1), noun.start())
            is_new = noun.start() < end
            if (
                is_new
                and not is_within_word
                and (value := _after_noun(text, lower, noun) or _before(text, lower, noun))
            ):
                yield noun.start(), value
        if start == 0:
            return
        end = start


def _nouns(lower: str, start: int) -> list[re.Match[str]]:
    searched = lower[start:] if start else lower
    nouns = tuple([noun for noun in (ASCII_NOUNS if searched.isascii() else NOUNS) if noun in searched])
    return [*_compiled(nouns).finditer(lower, start)][-MOST_STATEMENTS:] if nouns else []


@lru_cache
def _compiled(nouns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"{noun}{NOUNS[noun]}" for noun in nouns))


def value_of(text: str) -> str:
    """The value, or list of values, at the beginning of a text; empty if it begins with none."""
    text = text[:WINDOW]
    if (bullets := BULLETS.match(text)) and bullets[0].strip().count("\n"):
        values = [value_of(BULLET.sub("", line)) for line in bullets[0].splitlines()]
        return ", ".join(values) if all(values) else ""
    found = VALUE.match(text)
    if found is None or found.end() == WINDOW or text[found.end() : found.end() + 1] in {*"?？؟"}:
        return ""
    if FACTORIAL.search(found[0]):
        return ""
    value = TRAILING.sub("", found[0]).strip()
    if WHICH.match(text, found.end()) and WORD.search(FORMULA.sub("", value)[1:]):
        return ""  # “the day after Sunday, which is Monday”
    is_bracket_left = value.count(")") > value.count("(") + value.count("[") and not value[:-1].isalpha()
    value = value.removesuffix(")") if is_bracket_left else value
    if arithmetic := ARITHMETIC.match(value):  # 3 + 4 = 7
        value = ("$" if value[0] == "$" else "") + value[arithmetic.end() :].strip()
    return value if _is_value(value) else ""


def is_mathematics(text: str) -> bool:
    """Returns whether the text contains a number or a formula, or is the letter of a choice."""
    return bool(MATHEMATICS.search(text) or LETTER.fullmatch(text))


def _is_value(text: str) -> bool:
    if KNOWN.fullmatch(text):
        return True
    if not text or len(text) > WINDOW or "boxed" in text or NEGATED.match(text):
        return False
    words = WORD.findall(FORMULA.sub(" ", text).lower())
    if len(words) > MOST_WORDS or PROSE.intersection(words) or NOT_FIRST.match(text):
        return False
    return bool(words) or is_mathematics(text)


def _after_noun(text: str, lower: str, noun: re.Match[str]) -> str:
    """The value after the noun; empty if nothing links the two, or in doubt."""
    start, end = noun.start(), noun.end() - noun[0].endswith(":")
    before, window = lower[max(0, start - 60) : start], lower[end : end + WINDOW]
    starts_line = HEADING_START.search(before)
    if DOUBT.search(before) or (noun[0] in ONLY_AT_LINE_START and not starts_line):
        return ""
    if noun[0].endswith((" correct", " right")):  # option (D) is correct
        return text[start:end].split()[1]
    if noun[0] == "####":
        line = text[end : end + WINDOW].partition("\n")[0].strip()
        return value_of(line) if is_mathematics(line) and value_of(line) == line.rstrip(".") else ""
    link = LINKED.match(window) or (starts_line and HEADING_END.match(window))
    if not link and noun[0] in NEEDS_NO_LINK:
        link = WITHOUT_LINK.match(window)
    begin = end + link.end() if link else 0
    return value_of(text[begin : begin + WINDOW]) if link else ""


def _before(text: str, lower: str, noun: re.Match[str]) -> str:
    """The value before the noun, such as ``5`` in “5 is the answer”; empty if there is none."""
    begin = max(0, noun.start() - 150)
    found = VALUE_FIRST.search(lower[begin : noun.start()])
    if not found or lower[noun.end() : noun.end() + 1] == "?":
        return ""
    start, end = (begin + place for place in found.span("value"))
    return "" if DOUBT.search(lower[begin:start]) else value_of(text[start:end].strip("*"))
