import copy
import json

import pytest

from labeling.data.formats import files, gsm8k, solutions
from labeling.data.formats.fields import FormatError
from labeling.data.formats.labels import prm800k
from labeling.data.formats.notes import Notes
from tests.real_data import DATA

SOLUTION = {"problem": "1 + 1?", "reference_answer": "2", "generator": "g", "steps": ["We add.", "A: 2"]}
PRM800K = {
    "labeler": "someone",
    "timestamp": "2022-07-30T23:23:32.118856",
    "generation": None,
    "is_quality_control_question": False,
    "is_initial_screening_question": False,
    "question": {"problem": "1 + 1?", "ground_truth_answer": "2"},
    "label": {
        "steps": [
            {
                "completions": [
                    {"text": "We add.", "rating": 1, "flagged": False},
                    {"text": "We stop.", "rating": -1, "flagged": None},
                ],
                "human_completion": None,
                "chosen_completion": 0,
            },
            {
                "completions": None,
                "human_completion": {"text": "2", "rating": None, "source": "human", "flagged": False},
                "chosen_completion": None,
            },
        ],
        "total_time": 1000,
        "finish_reason": "solution",
    },
}


def test_a_solution():
    parsed = solutions.parse(SOLUTION | {"id": 7, "level": 3, "correct": True})
    assert parsed.steps == ("We add.", "A: 2")
    assert (parsed.answer, parsed.is_correct, parsed.external_id, parsed.problem.level) == ("2", True, "7", "3")


def test_raw_text_is_split_into_steps():
    record = {key: value for key, value in SOLUTION.items() if key != "steps"}
    assert solutions.parse(record | {"text": "We add <<1+1=2>>.\nA: 2"}).steps == ("We add <<1+1=2>>.", "A: 2")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"problem": None}, "problem: Expected `str`, got `null`"),
        ({"problem": 1.5}, "problem: Expected `str`, got `float`"),
        ({"problem": 2.0}, "problem: Expected `str`, got `int`"),
        ({"generator": " "}, "generator: Expected `str` that is not blank"),
        ({"generator": "g" * 101}, "generator: Expected `str` of length <= 100"),
        ({"steps": []}, "steps: Expected `array` of length >= 1"),
        ({"steps": "We add."}, r"steps: Expected `array \| null`, got `str`"),
        ({"steps": '["a", "b"]'}, r"steps: Expected `array \| null`, got `str`"),
        ({"steps": [""]}, r"steps\[0\]: Expected `str` that is not blank"),
        ({"steps": ["a", None, "b"]}, r"steps\[1\]: Expected `str`, got `null`"),
        ({"steps": ["a", {"content": "b"}]}, r"steps\[1\]: Expected `str`, got `object`"),
        ({"steps": ["a", 2]}, r"steps\[1\]: Expected `str`, got `int`"),
        ({"split": "dev"}, r"split: Expected `str` matching regex .*train\|test"),
        ({"correct": "yes"}, r"correct: Expected `bool \| int \| null`, got `str`"),
        ({"correct": 2}, "correct: Expected `int` <= 1"),
        ({"correct": 0.5}, r"correct: Expected `bool \| int \| null`, got `float`"),
        ({"id": 7.5}, r"id: Expected .* got `float`"),
        ({"answer": [["2"]]}, r"answer\[0\]: Expected .* got `array`"),
        ({"answer": {"value": 2}}, r"answer: Expected .* got `object`"),
    ],
)
def test_a_bad_solution(change, message):
    with pytest.raises(FormatError, match=message):
        solutions.parse(SOLUTION | change)


@pytest.mark.parametrize(
    ("written", "read"),
    [(276.5, "276.5"), (5.0, "5"), (5, "5"), (["278"], "278"), (["a", 2.0], "a, 2"), (True, "true"), ([], "")],
)
def test_an_answer_is_read_as_it_was_written(written, read):
    parsed = solutions.parse(SOLUTION | {"answer": written or "2", "reference_answer": written})
    assert parsed.problem.reference_answer == read
    assert parsed.answer == (read or "2")


@pytest.mark.parametrize(("written", "read"), [(1, True), (0, False), (1.0, True), (0.0, False), (True, True)])
def test_a_verdict_may_be_a_number(written, read):
    assert solutions.parse(SOLUTION | {"correct": written}).is_correct is read


def test_whole_numbers_may_be_written_as_pandas_does():
    parsed = solutions.parse(SOLUTION | {"id": 7.0, "level": 5.0, "subject": 2.5, "correct": 1.0})
    assert (parsed.external_id, parsed.problem.level, parsed.problem.subject) == ("7", "5", "2.5")


@pytest.mark.parametrize(
    "steps", [["a", "b", ""], [{"text": "a"}, "b"], ["", "a", " \n", {"text": "b", "score": 0.5}, {"text": ""}]]
)
def test_steps_of_other_programs_are_read(steps):
    notes = Notes()
    assert solutions.parse(SOLUTION | {"steps": steps}, notes).steps == ("a", "b")
    dropped = len(steps) - 2
    assert [(what, many) for what, many, _ in notes] == [("empty steps dropped", dropped)] * (dropped > 0)


def test_a_text_beside_steps_is_left_out_and_counted():
    notes = Notes()
    assert solutions.parse(SOLUTION | {"text": "More."}, notes).steps == ("We add.", "A: 2")
    assert str(notes) == "“text” left out, because there are “steps”: 1."


def test_missing_fields():
    with pytest.raises(FormatError, match="missing required field `problem`"):
        solutions.parse({})
    with pytest.raises(FormatError, match="neither “steps” nor a “text”"):
        solutions.parse({"problem": "?", "generator": "g"})


def test_gsm8k_gives_one_solution_per_generator():
    text = {"is_correct": True, "solution": "1 + 1 = <<1+1=2>>2\nA: 2"}
    parsed = gsm8k.parse({"question": "1 + 1?", "ground_truth": "A: 2", "6b": text, "175b": text})
    assert [item.generator for item in parsed] == ["6b", "175b"]
    assert parsed[0].steps == ("1 + 1 = 2", "A: 2")
    assert parsed[0].problem.reference_answer == parsed[0].answer == "2"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("1 << 2, <<1+1=2>>2", "1 << 2, 2"),
        ("<<.5*$1,000/(2-1)=500.00>>500", "500"),
        ("<<75%*4=3>>3 or <<5*2/5=2.0=2.0>>2", "3 or 2"),
        ("cout << a; cin >> b", "cout << a; cin >> b"),
        ("<<x=1>> <<1+1>> <<EOF>> <<=1>>", "<<x=1>> <<1+1>> <<EOF>> <<=1>>"),
    ],
)
def test_only_sums_are_calculator_notes(text, left):
    assert gsm8k.without_calculator_notes(text) == left


@pytest.mark.parametrize(
    "part",
    [
        None,
        {},
        {"is_correct": 1, "solution": "x"},
        {"is_correct": True, "solution": ""},
        {"is_correct": True, "solution": "<<1+1=2>>"},
    ],
)
def test_gsm8k_refuses(part):
    with pytest.raises(FormatError):
        gsm8k.parse({"question": "?", "ground_truth": "A: 2", "6b": part})
    with pytest.raises(FormatError):
        gsm8k.parse({"question": "?", "ground_truth": "A: 2"})


def test_a_prm800k_record():
    parsed = prm800k.parse(PRM800K)
    assert parsed.solution.steps == ("We add.", "2")
    assert [item.rating for item in parsed.completions] == [1, -1, None]
    assert [item.is_chosen for item in parsed.completions] == [True, False, True]
    assert parsed.completions[2].is_human
    assert parsed.labelled_at is not None
    assert parsed.labelled_at.isoformat() == "2022-07-30T23:23:32.118856+00:00"


@pytest.mark.parametrize("rating", [2, -2, 0.5, "1", True])
def test_invalid_ratings_are_refused(rating):
    record = copy.deepcopy(PRM800K)
    record["label"]["steps"][0]["completions"][1]["rating"] = rating
    with pytest.raises(FormatError, match=r"^label\.steps\[0\]\.completions\[1\]\.rating: Expected `int"):
        prm800k.parse(record)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"finish_reason": "done"}, "label.finish_reason: Expected `str` matching regex .*found_error"),
        ({"total_time": -1}, "label.total_time: Expected `int` >= 0"),
        ({"steps": None}, "label.steps: Expected `array`, got `null`"),
        ({"steps": []}, "no step"),
        ({"steps": [3]}, r"label.steps\[0\]: Expected `object`, got `int`"),
        ({"steps": [{"completions": [], "chosen_completion": 0}]}, "chosen_completion"),
        ({"steps": [{"completions": [{"rating": 1}]}]}, r"completions\[0\]: Object missing required field `text`"),
    ],
)
def test_a_bad_prm800k_label(change, message):
    with pytest.raises(FormatError, match=message):
        prm800k.parse(PRM800K | {"label": PRM800K["label"] | change})


def round_trip(record):
    parsed = prm800k.parse(record)
    left = prm800k.skeleton(json.loads(json.dumps(record)))
    steps = list(parsed.solution.steps)
    return prm800k.restore(
        left, problem=parsed.solution.problem.statement, solution_steps=steps, completions=list(parsed.completions)
    )


def test_rows_that_do_not_fit_the_record_are_refused():
    rated = list(prm800k.parse(PRM800K).completions)
    for completions in (rated[:-1], [*rated, rated[-1]]):
        with pytest.raises(ValueError, match="rated completions"):
            prm800k.restore(
                prm800k.skeleton(copy.deepcopy(PRM800K)), problem="?", solution_steps=[], completions=completions
            )


def test_a_record_comes_back_field_for_field():
    assert json.dumps(round_trip(PRM800K)) == json.dumps(PRM800K)


@pytest.mark.parametrize(
    ("name", "ratings"),
    [("phase1_train.jsonl.gz", 48_672), ("phase1_test.jsonl.gz", 5_082), ("phase2_example.jsonl", 10)],
)
def test_released_records_come_back_field_for_field(name, ratings):
    path = DATA / "prm800k" / name
    if not path.exists():
        pytest.skip(f"needs prm800k/{name} (see STEPMARK_DATA)")
    found = 0
    for item in files.read_records(path):
        assert not isinstance(item, files.LineError)
        record = item[1]
        assert json.dumps(round_trip(record)) == json.dumps(record)
        found += sum(one.rating is not None for one in prm800k.parse(record).completions)
    assert found == ratings


@pytest.mark.parametrize("rating", [1, -1])
def test_the_solutions_own_step_is_chosen_where_the_record_does_not_say(rating):
    record = copy.deepcopy(PRM800K)
    record["question"]["pre_generated_steps"] = ["We add.", "2"]
    given = [{"text": "other", "rating": 1}, {"text": "We add.", "rating": rating}]
    record["label"]["steps"] = [{"completions": given}]
    assert [item.is_chosen for item in prm800k.parse(record).completions] == [False, True]
