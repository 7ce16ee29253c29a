"""The graders other than mathematics: the same words, the same letter, none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.grading.grader import grade
from labeling.rules.words import Grader

RIGHT, WRONG, UNSURE = "right", "wrong", "unsure"


@pytest.mark.parametrize(
    ("answer", "reference", "verdict"),
    [
        ("Paris", " paris ", RIGHT),
        ("habeas  corpus", "Habeas\nCorpus", RIGHT),
        ("Cafe\N{COMBINING ACUTE ACCENT}", "café", RIGHT),
        ("5²", "52", WRONG),
        ("x₁", "x1", WRONG),
        ("نعم", "نعم", RIGHT),
        ("0.5", "1/2", WRONG),
        ("Paris", "Paris, France", WRONG),
        ("", "Paris", UNSURE),
        ("Paris", " ", UNSURE),
    ],
)
def test_the_same_words(answer, reference, verdict):
    assert grade(answer, reference, Grader.EXACT) == verdict


@pytest.mark.parametrize(
    ("answer", "reference", "verdict"),
    [
        ("B", "(b)", RIGHT),
        ("B. Aspirin", "B", RIGHT),
        ("**C**", "c)", RIGHT),
        ("Option D: heparin", "D", RIGHT),
        ("Answer: E", "E", RIGHT),
        ("乙", "乙。", RIGHT),
        ("Б)", "б", RIGHT),
        ("B. vitamin C", "B", RIGHT),
        ("Ⓑ", "B", RIGHT),
        ("A, C", "a, c", RIGHT),
        ("A, C", "A, B", UNSURE),
        ("A, C", "A", UNSURE),
        ("(A) and (D)", "(A)", UNSURE),
        ("A & B", "A", UNSURE),
        ("A or B", "A", UNSURE),
        ("B. Aspirin", "C. Aspirin", WRONG),
        ("(A)", "(E)", WRONG),
        ("A man of 50", "A", UNSURE),
        ("Aspirin", "B", UNSURE),
        ("12", "B", UNSURE),
        ("", "B", UNSURE),
    ],
)
def test_the_same_letter(answer, reference, verdict):
    assert grade(answer, reference, Grader.CHOICE) == verdict


@pytest.mark.parametrize("reference", ["", "5", "B"])
def test_grader_none_is_always_unsure(reference):
    assert grade("5", reference, Grader.NONE) == UNSURE


@given(st.text(), st.text(), st.sampled_from([Grader.EXACT, Grader.CHOICE, Grader.NONE]))
def test_it_does_not_matter_which_is_the_reference(one, other, by):
    assert grade(one, other, by) == grade(other, one, by)


@given(st.text(), st.sampled_from([Grader.EXACT, Grader.CHOICE]))
def test_an_answer_never_differs_from_itself(text, by):
    assert grade(text, text, by) in {RIGHT, UNSURE}


def test_a_version_identifies_its_grader():
    assert len({each.version for each in Grader}) == len(Grader)
    assert [Grader.of_version(each.version) for each in Grader] == list(Grader)
    assert {Grader.of_version(each) for each in ("stepmark-1", "given", "adjudicated")} == {Grader.MATHEMATICS}
