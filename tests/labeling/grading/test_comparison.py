import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.grading.comparison import quick_verdict
from labeling.rules.exact import exact_value
from labeling.rules.notation import is_plain, normalise
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
        ("2^{10}", "1024", "right"),
        ("2**10", "1024", "right"),
        ("1.5e3", "1500", "right"),
        ("\\text{(C)}", "C", "right"),
        ("1/2^99", "1/2^98", "wrong"),
        ("50\\%", "0.5", "right"),
        ("50\\%", "50", "unsure"),
        ("50\\%", "5000\\%", "wrong"),
        ("\\text{Evelyn}", "evelyn", "right"),
        ("\\text{Evelyn}", "Carla", "wrong"),
        ("Evelyn", "Evelyn Smith", None),
        ("17", "18", "wrong"),
        ("0.33", "1/3", "unsure"),
        ("0.3", "1/2", "wrong"),
        ("2.5", "2.6", "wrong"),
        ("2 hours", "120 minutes", "unsure"),
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
def test_what_is_not_to_be_read_costs_nothing(scrap):
    """Answers come from models: 300 characters are read, and of a longer one none."""
    for length in (290, 1_000_000):
        text = scrap * (length // len(scrap))
        assert processor_seconds(lambda text=text: (quick_verdict(text, "5"), normalise(text))) < 1


@pytest.mark.parametrize("text", ["", "1 2", "abc", "(1", "1)", "1/0", "2^99999", "9^9^9^9", "2^(1/2)", "--", "1.2.3"])
def test_no_exact_value(text):
    assert exact_value(text) is None


def test_powers_bind_tighter_than_signs():
    assert exact_value("-2^2") == -4
    assert exact_value("2*(3+4)/7-1") == 1


@pytest.mark.parametrize("answer", ["x^2y^3z^{100}", "20!", "\\frac{\\sin x}{2}", "e^{x^2}", "1 \\le x < 2"])
def test_mathematics_is_plain(answer):
    assert is_plain(answer)


@pytest.mark.parametrize(
    "answer", ["2^{1000}", "x^{9^{9}}", "e^{e^{e^e}}", "2^{2^{2^2}}", "5000!", "3!!", "(" * 21, "sin x", "½"]
)
def test_what_is_too_large_or_no_mathematics_is_not_plain(answer):
    assert not is_plain(answer)
