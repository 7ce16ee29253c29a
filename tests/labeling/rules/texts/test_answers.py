from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.rules.texts.answers import extract_answer
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


LONG = 500_000
SCRAPS = ["The answer is", "\\boxed{", "\\boxed", "{", "}", "\\", "#### ", "A:", "# Answer\n", "\n", " ", ". ", "$$"]
SCRAPS += [
    "答案",
    "<answer>",
    "<think>",
    "</think>",
    "</s>",
    "**",
    "\\[",
    "is the answer",
    "option A is correct",
    "1. ",
]


@pytest.mark.parametrize(
    "repeated",
    [*SCRAPS, "answer is x\n", "answer is. ", "# Answer\n\n", "A: \\boxed{\n", "\\boxed{1},", "\\boxed{}, and "],
)
@pytest.mark.parametrize("end", ["", "x"])
def test_half_a_megabyte_is_read_in_a_fraction_of_a_second(repeated, end):
    """A tenth of a second is usual; a quadratic part takes minutes."""
    text = "The answer is " + repeated * (LONG // len(repeated)) + end
    assert processor_seconds(lambda: extract_answer(text)) < 1.5


@given(st.lists(st.sampled_from([*SCRAPS, "5", "x"]), max_size=30).map("".join) | st.text())
def test_any_text_has_an_answer_or_none(text):
    """An answer, if found, is a part of the text."""
    assert extract_answer(text) in text


def test_any_two_scraps_repeated_have_an_answer_or_none():
    texts = ["".join(pair) * 500 for pair in product(SCRAPS, repeat=2)]
    assert processor_seconds(lambda: [extract_answer(text) for text in texts]) < 3
