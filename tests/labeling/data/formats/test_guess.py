"""labeling.data.formats.guess: tells files of problems from files of solutions by their records' keys."""

import pytest

from labeling.data.formats import guess
from labeling.data.inspecting import files
from labeling.rules.words import FileFormat

GSM8K = {"question": "What is 6 times 3?", "answer": "6 * 3 = <<6*3=18>>18\n#### 18"}
MATH = {"problem": "What is $6 \\cdot 3$?", "level": "Level 1", "type": "Algebra", "solution": "It is $\\boxed{18}$."}
PLAIN = {"problem": "6 * 3?", "answer": "18"}
PROBLEMS = {
    "GSM8K": GSM8K,
    "MATH": MATH,
    "MATH-500": {**MATH, "answer": "18", "subject": "Algebra", "unique_id": "test/algebra/1.json"},
    "plain": PLAIN,
    "a number": {"problem": "6 * 3?", "answer": 18},
    "AIME": {"id": 60, "problem": "6 * 3?", "solution": "18", "answer": "18", "url": "https://a.b", "year": "2024"},
    "ours": {"id": "1", "statement": "6 * 3?", "reference_answer": "18", "reference_solution": "", "split": "test"},
    "prompts": {"prompt": "6 * 3?", "answer": "18", "source": "drills"},
    "sourced": {"source": "olympiads", "problem": "6 * 3?", "solution": "18", "problem_type": "Algebra"},
}
SOLUTIONS = {
    "ours": {"problem": "6 * 3?", "steps": ["18"], "generator": "g", "reference_answer": "18"},
    "steps": {"problem": "6 * 3?", "steps": ["18"], "answer": "18"},
    "text": {"problem": "6 * 3?", "text": "It is 18.", "reference_answer": "18"},
    "a model's solution": {"problem": "6 * 3?", "solution": "18", "answer": "18", "model": "g"},
    "a model's answer": {"question": "6 * 3?", "answer": "It is 18.", "generator": "g"},
    "responses": {"question": "6 * 3?", "answer": "18", "response": "It is 18."},
    "an empty response": {"question": "6 * 3?", "answer": "18", "response": ""},
    "outputs": {"prompt": "6 * 3?", "answer": "18", "model_outputs": ["It is 18."]},
    "generations": {**MATH, "generations": ["It is 18."], "uuid": "1"},
    "reasoning": {"question": "6 * 3?", "reasoning": "6 + 6 + 6", "answer": "18"},
    "judged": {"question": "6 * 3?", "answer": "It is 18.", "is_correct": True},
    "instructions": {"instruction": "6 * 3?", "output": "18"},
}


@pytest.mark.parametrize("record", PROBLEMS.values(), ids=PROBLEMS)
def test_a_problem_alone(record):
    assert guess.format_of(record) == "Problems JSONL"
    assert files.guessed_format([(1, record, False)]) == FileFormat.PROBLEMS


@pytest.mark.parametrize("record", PROBLEMS.values(), ids=PROBLEMS)
def test_a_record_is_a_solution_if_its_generator_is_given(record):
    assert files.guessed_format([(1, record, False)], has_solutions=True) == FileFormat.SOLUTIONS


@pytest.mark.parametrize("record", SOLUTIONS.values(), ids=SOLUTIONS)
def test_a_solution(record):
    assert files.guessed_format([(1, record, False)]) == FileFormat.SOLUTIONS


@pytest.mark.parametrize(
    "record",
    [{"problem": "6 * 3?"}, {"answer": "18"}, {"problem": "6 * 3?", "answer": ""}, {"prompt": [], "answer": "18"}],
)
def test_a_problem_without_a_statement_or_an_answer_is_not_taken_for_one(record):
    assert not guess.is_problem(record)


@pytest.mark.parametrize(
    ("name", "content", "answer"),
    [
        ("gsm8k.jsonl", '{"question": "6 * 3?", "answer": "6 * 3 = <<6*3=18>>18\\n#### 18"}\n' * 2, "18"),
        ("math.json", '{"problem": "6 * 3?", "level": "Level 1", "solution": "It is $\\\\boxed{18}$."}', "18"),
        ("plain.jsonl", '{"problem": "6 * 3?", "answer": 18}', "18"),
        ("table.csv", "id,question,answer\n1,6 * 3?,18\n2,6 * 4?,24\n", "18"),
        ("list.json", '[{"problem": "6 * 3?", "answer": "18"}]', "18"),
    ],
)
def test_a_file_of_problems_is_read_as_such(tmp_path, name, content, answer):
    path = tmp_path / name
    path.write_text(content)
    head = files.head(path)
    options = files.Options(files.guessed_format(head))
    shown = files.preview_file(head, options)
    assert (options.file_format, shown["bad_lines"]) == ("problems", [])
    first = shown["records"][0]
    assert (first["problem"], first["reference_answer"], first["steps"]) == ("6 * 3?", answer, [])
