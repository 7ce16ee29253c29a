from __future__ import annotations

import gzip
import json
import re

import pytest

from benchmarks.grading import DATA, GATHERED, HOSTILE, agreement, gathered, math_verify_alone, told
from labeling.grading import grader
from labeling.rules.texts.answers import extract_answer
from tests.labeling.grading.answer_pairs import NOT_RIGHT, RIGHT, SAME, UNSURE, WRONG, misleading


def pairs(kinds):
    return [pytest.param(*pair, id=f"{kind}: {pair[0][:40]} {pair[1][:40]}") for kind in kinds for pair in kinds[kind]]


def verdicts(answer, reference):
    """Grades both ways. Returns the set of verdicts: one, if swapping the two changes nothing."""
    return {grader.grade(answer, reference), grader.grade(reference, answer)}


@pytest.mark.parametrize(("answer", "reference"), pairs(RIGHT))
def test_the_same_is_right(answer, reference):
    assert verdicts(answer, reference) == {"right"}


@pytest.mark.parametrize(("answer", "reference"), pairs(SAME))
def test_the_same_is_never_wrong(answer, reference):
    assert verdicts(answer, reference) in ({"right"}, {"unsure"})


@pytest.mark.parametrize(("answer", "reference"), pairs(UNSURE))
def test_answers_with_two_readings_are_unsure(answer, reference):
    assert verdicts(answer, reference) == {"unsure"}


@pytest.mark.parametrize(("answer", "reference"), pairs(WRONG))
def test_different_answers_are_wrong(answer, reference):
    assert verdicts(answer, reference) == {"wrong"}


@pytest.mark.parametrize(("answer", "reference"), NOT_RIGHT)
def test_different_answers_are_never_right(answer, reference):
    assert verdicts(answer, reference) in ({"wrong"}, {"unsure"})


@pytest.mark.parametrize("answer", HOSTILE)
def test_no_hostile_answer_hangs_or_is_graded_right(answer):
    grader.grade("a + b", "b + 2a")
    grader._grade.cache_clear()
    child = grader._child._process
    assert grader.grade(answer, "3") != "right"
    assert grader._child._process is child, "its own limit ended the work: nobody had to kill it"


def test_a_killed_worker_is_replaced():
    assert grader.grade("(a+b+c+d+e+f)^{61}", "x+1") == "unsure"
    child = grader._child._process
    assert grader.grade("y + z", "z + y") == "right"
    assert grader._child._process is child, "the child itself lives on"


def test_a_repeated_comparison_is_cached(monkeypatch):
    assert grader.grade("x + 7", "7 + x") == "right"
    monkeypatch.setattr(grader, "_child", None)
    assert grader.grade("7 + x", "x + 7") == "right"


def test_python_is_never_run(tmp_path):
    marker = tmp_path / "ran"
    program = f"__import__('pathlib').Path('{marker}').touch()"
    grader.grade(program, "3")
    grader._child.compare(program, "3")
    assert not marker.exists()


def test_a_killed_child_is_replaced():
    grader.grade("a + b", "b + a")
    process = grader._child._process
    assert process is not None
    process.kill()
    process.wait()
    assert grader.grade("a + 2b", "2b + a") == "right"


def test_verdicts_agree_with_gsm8k():
    if not (DATA / "gsm8k" / "example_model_solutions.jsonl.gz").exists():
        pytest.skip("needs gsm8k/example_model_solutions.jsonl.gz (see STEPMARK_DATA)")
    found = agreement()
    assert (found["agrees"] + found["unsure"], found.get("contradicts")) == (5276, None)
    assert found["share"] >= 0.995


MAY_BE = {"same": {"right", "unsure"}, "different": {"wrong", "unsure"}, "open": {"unsure"}}


@pytest.mark.parametrize("kind", misleading())
def test_no_misleading_pair_is_graded_falsely(kind):
    for pair in misleading()[kind]:
        found = verdicts(pair["a"], pair["b"])
        assert len(found) == 1 and found <= MAY_BE[pair["truth"]], (pair, found)


def test_few_answers_that_are_the_same_are_unsure():
    pairs = [pair for kind in misleading().values() for pair in kind]
    assert told(pairs, grader.grade)["unsure_of_the_same"] <= 0.06


SHOWN = [pair[side] for kind in misleading().values() for pair in kind for side in "ab"][::6]
# These change the form of an answer, not its meaning.
LOOKS = [
    "${}$",
    "\\({}\\)",
    " {} ",
    "\\displaystyle {}",
    "\\boxed{{{}}}",
    "**{}**",
    "The answer is {}",
    "\\, {} \\quad",
    "{{{}}}",
]


@pytest.mark.parametrize("look", LOOKS)
def test_an_answer_is_itself_however_it_looks(look):
    texts = [text for text in SHOWN if not ("*" in look and "*" in text)]
    assert {text for text in texts if grader.grade(look.format(text), text) != "right"} == set()


@pytest.mark.parametrize("space", [" ", "\\,", "\\;", "\\ ", "\\!", "\\quad "])
def test_spacing_around_signs_says_nothing(space):
    signs = re.compile(r"(?<=[\w)}])[=+<](?=[\w({])")
    spaced = {text: signs.sub(lambda sign: f"{space}{sign[0]}{space}", text) for text in SHOWN}
    assert {text for text, other in spaced.items() if grader.grade(other, text) != "right"} == set()


def test_pairs_that_graders_get_wrong():
    if not GATHERED.exists():
        pytest.skip("needs cases/grader_pairs.jsonl (see STEPMARK_DATA)")
    found = told(gathered(), grader.grade)
    assert (found["false_wrong"], found["false_right"], found["open_but_decided"]) == (0, 0, 0)
    assert found["unsure_of_the_same"] <= 0.15


def test_math_verify_alone_gives_the_usual_verdicts():
    assert [math_verify_alone("1/2", answer) for answer in ("0.5", "3", "")] == ["right", "wrong", "unsure"]


def test_math_reference_solutions_are_right():
    path = DATA / "math500" / "test500.jsonl.gz"
    if not path.exists():
        pytest.skip("needs math500/test500.jsonl.gz (see STEPMARK_DATA)")
    with gzip.open(path) as lines:
        records = [json.loads(line) for line in lines]
    found = [grader.grade(extract_answer(record["solution"]), record["answer"]) for record in records]
    assert "wrong" not in found
    assert found.count("unsure") <= 2  # 10 % for 10


REWRITTEN = [
    lambda answer: f"${answer}$",
    lambda answer: f"{answer}.",
    lambda answer: answer.replace("\\frac", "\\dfrac"),
    lambda answer: answer.replace("(", "\\left(").replace(")", "\\right)"),
]
SAID_OTHERWISE = [
    lambda answer: f"x = {answer}",
    lambda answer: f"\\boxed{{{answer}}}",
    lambda answer: f"\\text{{(A)}}\\ {answer}",
    lambda answer: f"{answer}\\text{{ units}}",
    lambda answer: answer.replace(",", ", "),
]


def test_math_reference_answers_are_themselves_however_they_are_written():
    path = DATA / "math500" / "test500.jsonl.gz"
    if not path.exists():
        pytest.skip("needs math500/test500.jsonl.gz (see STEPMARK_DATA)")
    with gzip.open(path) as lines:
        answers = [json.loads(line)["answer"] for line in lines]
    for answer in answers[::5]:
        assert {grader.grade(rewrite(answer), answer) for rewrite in REWRITTEN} == {"right"}, answer
        assert "wrong" not in {grader.grade(say(answer), answer) for say in SAID_OTHERWISE}, answer
