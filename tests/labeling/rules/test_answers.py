from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.rules.answers import extract_answer, quick_verdict
from labeling.rules.exact import exact_value
from labeling.rules.notation import is_plain, normalise
from tests.processor_time import processor_seconds


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("So it is $\\boxed{\\frac{1}{2}}$.", "\\frac{1}{2}"),
        ("First \\boxed{1}, then \\fbox{3} and \\boxed {2}", "2"),
        ("\\boxed{\\{1, 2\\}}", "\\{1, 2\\}"),
        ("An open \\boxed{1", ""),
        ("So.\n\n# Answer\n\n29", "29"),
        ("Janet has 3\nA: 18", "18"),
        ("So 3 * 6 = 18\n#### 18", "18"),
        ("The answer is $5$.", "$5$"),
        ("the final answer is: 2.5. Done", "2.5"),
        ("# Answer\n\nThe final answer is 11. I hope it is correct.", "11"),
        ("No number here", ""),
        ("So $\\boxed{\\pm 8}$ and $\\boxed{\\pm 1}$.", "\\pm 8, \\pm 1"),
        ("$\\boxed{1}, \\boxed{2}$, and $\\boxed{3}$", "1, 2, 3"),
        ("Not $\\boxed{1}$ but $\\boxed{2}$", "2"),
        ("An open \\boxed{1\n# Answer\n\nA: \\boxed{5}", "5"),
        ("# Answer\n\n4\n\n# Answer\n\n5\n\n# Answer\n", "5"),
        ("A: 5\nA: ", "5"),
        ("The answer is 5. I hope the answer is", "5"),
        ("The answer is " * 1200 + "5.", "5"),
        ("The answer is " * 1200, ""),
        ("#### A: the answer is \\boxed{5}", "5"),
    ],
)
def test_extraction(text, answer):
    assert extract_answer(text) == answer


MEGABYTE = 1_000_000
SCRAPS = ["The answer is", "\\boxed{", "\\boxed", "{", "}", "\\", "#### ", "A:", "# Answer\n", "\n", " ", ". ", "$$"]


@pytest.mark.parametrize(
    "repeated",
    [*SCRAPS, "answer is x\n", "answer is. ", "# Answer\n\n", "A: \\boxed{\n", "\\boxed{1},", "\\boxed{}, and "],
)
@pytest.mark.parametrize("end", ["", "x"])
def test_a_megabyte_is_read_in_a_fraction_of_a_second(repeated, end):
    """In minutes, if any part of it were quadratic."""
    text = "The answer is " + repeated * (MEGABYTE // len(repeated)) + end
    assert processor_seconds(lambda: extract_answer(text)) < 3


@given(st.lists(st.sampled_from([*SCRAPS, "5", "x"]), max_size=30).map("".join) | st.text())
def test_any_text_has_an_answer_or_none(text):
    """What is found stands in the text."""
    assert extract_answer(text) in text


def test_any_two_scraps_repeated_have_an_answer_or_none():
    texts = ["".join(pair) * 500 for pair in product(SCRAPS, repeat=2)]
    assert processor_seconds(lambda: [extract_answer(text) for text in texts]) < 3


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
