import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.grading.reading.reader import read_answer
from labeling.grading.reading.values import Scope
from labeling.grading.reading.writing import folded
from labeling.grading.verdicts import quick_verdict, verdict
from tests.labeling.grading.answer_pairs import TEXT
from tests.processor_time import processor_seconds


@pytest.mark.parametrize(
    ("answer", "reference", "verdict"),
    [
        ("18", "18", "right"),
        ("18 dollars", "\\$18", "right"),
        ("$1,000$", "1000", "right"),
        ("12{,}345", "12345", "right"),
        ("007", "7.0", "right"),
        ("\\dfrac12", "\\frac{1}{2}", "right"),
        ("-.5", "-\\frac{1}{2}", "right"),
        ("3\\frac{1}{2}", "7/2", "right"),
        ("2^{10}", "1024", None),
        ("2**10", "1024", None),
        ("1.5e3", "1500", "right"),
        ("\\text{(C)}", "C", "right"),
        ("1/2^99", "1/2^98", None),
        ("50\\%", "0.5", "right"),
        ("50\\%", "50", "unsure"),
        ("50\\%", "5000\\%", "wrong"),
        ("\\text{Evelyn}", "evelyn", "right"),
        ("\\text{Evelyn}", "Carla", "wrong"),
        ("Evelyn", "Evelyn Smith", "unsure"),
        ("17", "18", "wrong"),
        ("0.33", "1/3", "unsure"),
        ("0.3", "1/2", "wrong"),
        ("2.5", "2.6", "wrong"),
        ("2 hours", "120 minutes", "right"),
        ("18 cm", "18 m", "unsure"),
        ("", "18", "unsure"),
        ("1" * 400, "2" * 400, "unsure"),
        ("x + 1", "1 + x", None),
        ("9^(9^9)", "3", None),
    ],
)
def test_quick_verdict(answer, reference, verdict):
    assert quick_verdict(answer, reference) == verdict


@given(st.text(max_size=400), st.text(max_size=400))
def test_any_two_texts_have_a_verdict_or_none(one, other):
    assert quick_verdict(one, other) in {"right", "wrong", "unsure", None}
    assert quick_verdict(one, one) == ("right" if one.strip() else "unsure")


@pytest.mark.parametrize(
    "scrap", ["1,", "1 ", "\\frac{", "\\text{", "^{", "(1", "0.1\\overline{", "or", "\\%", "°", "_{", "a."]
)
def test_unreadable_answers_are_rejected_fast(scrap):
    """Models write the answers; those of over 300 characters are not read at all."""
    for length in (290, 1_000_000):
        text = scrap * (length // len(scrap))
        assert processor_seconds(lambda text=text: (quick_verdict(text, "5"), folded(text))) < 1


@pytest.mark.parametrize(
    "text",
    [
        "1 2",
        "5 factorial",
        "(1",
        "1)",
        "\\frac{1",
        "--",
        "1.2.3",
        "\\forall x, x=1",
        "p \\to q",
        "\\neg p",
        "2^{3",
        "\\frac{d}{dx} x^2",
        "\\frac{dy}{dx}",
        "4 \\pmod{7}",
        "4 \\bmod 7",
        "x \\times",
        "\\unknown{5}",
        "5 \\uparrow",
        "(" * 60 + "1" + ")" * 60,
        "1e99999",
    ],
)
def test_answers_not_understood_completely_are_not_read(text):
    assert read_answer(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-2^2", -4),
        ("2*(3+4)/7-1", 1),
        ("2^{10}", 1024),
        ("\\frac{\\frac12}{3}", 1 / 6),
        ("3!", 6),
        ("|-5|", 5),
        ("\\log_2 8", 3),
        ("\\sqrt{16}", 4),
        ("\\sqrt[3]{27}", 3),
        ("2\\cdot-3", -6),
        ("10-2-3", 5),
        ("12/3/2", 2),
        ("\\binom52", 10),
        ("\\sqrt4^2", 4),
    ],
)
def test_values(text, value):
    assert float(read_answer(text).value(Scope())) == pytest.approx(value)


SCRAPS = sorted(set(re.findall(r"\\[A-Za-z]+|\\.|[A-Za-z]+|\d+|[^\sA-Za-z\d]", TEXT)))


@given(st.lists(st.sampled_from([*SCRAPS, *"0123xyn(){}^_+-*/, "]), max_size=15).map("".join))
def test_any_scraps_have_a_verdict_or_none(text):
    assert quick_verdict(text, "3") in {"right", "wrong", "unsure", None}
    assert verdict(text, "x") in {"right", "wrong", "unsure"}
