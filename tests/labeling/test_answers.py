import pytest

from labeling.answers import extract_answer, is_plain, quick_verdict
from labeling.exact import exact_value


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
    ],
)
def test_extraction(text, answer):
    assert extract_answer(text) == answer


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
        ("50\\%", "50", "right"),
        ("50\\%", "5000\\%", "wrong"),
        ("\\text{Evelyn}", "evelyn", "right"),
        ("\\text{Evelyn}", "Carla", "wrong"),
        ("Evelyn", "Evelyn Smith", "unsure"),
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
