"""Copies of a problem are recognised as one, and different problems never are."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.rules.texts.statements import identity

SAME = [
    ("How many pears?", "How  many\u00a0pears ?\r\n"),
    ("How many pears?", "\ufeffHow many\u202fpears\u2009?"),
    ("Café 169?", "Cafe\u0301 169?"),
    ("It costs $5, not $6.", r"It costs \$5, not \$ 6."),
    (r"50\% of it", "50% of it"),
    ("one\ntwo three", "one two\r\nthree"),
    ("Tom’s “half”", 'Tom\'s "half"'),
    ("5 − 3", "5 - 3"),
    ("5 - 3", "5-3"),
    ("$x + 1 = 2$", "$ x+1=2 $"),
    ("f(x), g( x )", "f (x) , g(x)"),
    ("co\u00adoperate", "cooperate"),
    ("zero\u200bwidth", "zerowidth"),
    ("```\nfor x in y:\n    print(x)\n```", "```\r\nfor x in y:  \r\n\u00a0   print(x)\r\n```\n"),
]
DIFFERENT = [
    ("x² + 1", "x2 + 1"),
    ("12 3", "123"),
    ("1,234", "1, 234"),
    ("3 .5", "3.5"),
    ("3. 5 apples", "3.5 apples"),
    ("the list 5 -3", "the list 5-3"),
    ("A is red", "a is red"),
    ("½", "1/2"),
    (r"\{1, 2\}", "{1, 2}"),
    ("an ice", "a nice"),
    ("```\nif x:\n    y\nz\n```", "```\nif x:\n    y\n    z\n```"),
]
WORDS = [
    "pears",
    "Café",
    "$x^2$",
    "=",
    "5",
    "-3",
    "1,234",
    "\\frac{1}{2}",
    "(a",
    "b)",
    "日本",
    "مرحبا",
    "e\u0301",
    "؟",
    "?",
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_problem(one, other):
    assert identity(one) == identity(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_problem(one, other):
    assert identity(one) != identity(other)


@given(
    st.lists(st.sampled_from(WORDS), min_size=1),
    st.lists(
        st.sampled_from(["  ", "\u00a0", "\n", "\r\n", "\t", "\u3000", "\u2028", " \u200b", "\ufeff "]), min_size=1
    ),
    st.sampled_from(["NFC", "NFD"]),
)
def test_no_spacing_makes_another_problem(words, spaces, form):
    spaced = "".join(word + spaces[number % len(spaces)] for number, word in enumerate(words))
    assert identity(unicodedata.normalize(form, spaced)) == identity(" ".join(words))


@given(st.text())
def test_a_text_of_any_characters_has_one_identity(text):
    assert identity(f"\ufeff {text}\r\n") == identity(text)
    assert identity(unicodedata.normalize("NFD", text)) == identity(text)


@given(st.lists(st.integers(0, 999), min_size=1), st.lists(st.integers(0, 999), min_size=1))
def test_other_numbers_are_another_problem(some, others):
    one, other = (", ".join(map(str, numbers)) for numbers in (some, others))
    assert (identity(one) == identity(other)) == (some == others)
