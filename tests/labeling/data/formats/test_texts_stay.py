"""Readers keep texts unchanged, except for blank lines around steps."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labeling.api.fields import TextField
from labeling.completions import generator
from labeling.data.formats import files, gsm8k, labels, solutions
from labeling.data.importing.pool import import_solutions
from labeling.models import Problem, Solution
from labeling.review.api.adjudication import TextsSerializer
from labeling.rules.texts.splitting import split_steps
from prm_training.api.verifier import VerifierQuestionSerializer

SNIPPETS = [
    "cat <<EOF >> out.txt\nhello\nEOF",
    "for (int i = 0; i << 3; i++) {\n    cout << a << endl; cin >> b;\n}",
    "    indented = 1 << 3 >> 2  ",
    "```py\ndef f(x):\n\n    return x  # <<x=1>>\n```",
    "- a\n+ b\n@@ -1,2 +1,2 @@",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "# Answer\n\n**5**",
    "---",
    "**bold** and __init__, \\\\server\\share, COUNT(*)",
    "$$\n\\frac{1}{2}\n\n$$",
    "\\begin{align*}\nx&=1\\\\\n\ny&=2\n\\end{align*}",
    "16 - 3 = <<16-3=13>>13",
    "<think>\nhm\n\n</think>",
    "<p>&lt;&nbsp;</p>",
    "الجواب هو ٥",
    "\u202bתשובה: 5\u202c",
    "答案是５。",
    "उत्तर ५",
    "ё́ e\u0301 ﬁ ① ½",
    "👩‍👩‍👧 🇨🇭",
    "a\u00a0b\u2009c\u200bd\ufeff",
    "\ta\tb\t",
    "one\r\ntwo\r\n",
    "one\u2028two",
]
GAPS = ["", " ", "\n", "\n\n", "\n \t\n", "\r\n", "\r\n\r\n", "\u2028", "\u00a0\n\n  "]
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
TEXTS = st.lists(st.one_of(st.sampled_from(SNIPPETS), st.sampled_from(GAPS), ANY), max_size=8).map("".join)
WORDS = TEXTS.filter(str.strip)
BREAK = r"(?:\r\n|[\n\r\u2028\u2029])"


def check_steps(steps: list[str] | tuple[str, ...], text: str) -> None:
    """Checks that the steps make up the text, except for line breaks and blank lines."""
    rest = text
    for step in steps:
        before, found, rest = rest.partition(step)
        assert found, step
        assert not before.strip()
        assert before == "" or re.search(rf"{BREAK}\Z", before), "a step keeps its first line's indentation"
        assert rest == "" or re.match(BREAK, rest), "a step keeps what its last line ends with"
    assert not rest.strip()


def sent(record: dict[str, object], path) -> dict[str, object]:
    """Writes the record to a file. Returns it as read back."""
    path.write_text(json.dumps(record, ensure_ascii=False) + "\n", "utf-8")
    [(_, read)] = files.read_records(path)
    return read


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("texts") / "one.jsonl"


@given(TEXTS)
def test_a_split_text_is_the_text(text):
    steps = split_steps(text)
    assert all(step.strip() for step in steps)
    check_steps(steps, text)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=4))
def test_solutions_with_steps(path, statement, steps):
    record = {"problem": statement, "steps": steps, "generator": "g", "reference_solution": steps[0], "answer": "5"}
    parsed = solutions.parse(sent(record, path))
    assert (parsed.problem.statement, parsed.problem.reference_solution) == (statement, steps[0])
    assert parsed.steps == tuple(steps)


@given(WORDS, WORDS)
def test_solutions_with_a_text(path, statement, text):
    parsed = solutions.parse(sent({"problem": statement, "text": text, "generator": "g"}, path))
    assert parsed.problem.statement == statement
    check_steps(parsed.steps, text)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=4))
def test_labels(path, statement, steps):
    right = [True] * len(steps)
    records = {
        "processbench": {"problem": statement, "steps": steps, "generator": "g", "label": -1},
        "trl": {"prompt": statement, "completions": steps, "labels": right},
    }
    for name, record in records.items():
        parsed = labels.READERS[name](sent(record, path)).solution
        assert (parsed.problem.statement, parsed.steps) == (statement, tuple(steps))


@given(WORDS, st.lists(TEXTS, min_size=1, max_size=4))
def test_prm800k(path, statement, steps):
    given_steps = [
        {"completions": [{"text": text, "rating": 1}], "human_completion": {"text": text}, "chosen_completion": 0}
        for text in steps
    ]
    record = {"question": {"problem": statement, "pre_generated_steps": steps}, "label": {"steps": given_steps}}
    parsed = labels.READERS["prm800k"](sent(record, path))
    assert (parsed.solution.problem.statement, parsed.solution.steps) == (statement, tuple(steps))
    assert [item.text for item in parsed.completions] == [text for text in steps for _ in range(2)]


@given(WORDS, st.lists(WORDS, min_size=1, max_size=4))
def test_gsm8k(path, statement, texts):
    """Only calculator notes are removed."""
    texts = [gsm8k.without_calculator_notes(text).replace("<<", "< <") for text in texts]
    written = "<<1+1=2>>".join(texts)
    part = {"is_correct": True, "solution": f"{written}x"}
    [parsed] = gsm8k.parse(sent({"question": statement, "ground_truth": f"{written}x", "6b": part}, path))
    assert (parsed.problem.statement, parsed.problem.reference_solution) == (statement, f"{''.join(texts)}x")
    check_steps(parsed.steps, f"{''.join(texts)}x")


@given(WORDS)
def test_a_generated_step(text):
    step = generator.first_step(text)
    assert step == split_steps(text)[0]


@pytest.mark.parametrize("text", ["a\ud800b", "a\0b"])
def test_only_characters_that_the_database_refuses_are_replaced(text):
    assert generator.first_step(text) == "a\ufffdb"
    assert generator.storable("😀\ud83d\ude00") == "😀😀"


@pytest.mark.parametrize("text", [f" {text}\n" for text in SNIPPETS])
def test_requests(text):
    assert TextField().run_validation(text) == text
    given = TextsSerializer(data={"statement": text, "reference_answer": text, "reference_solution": text})
    assert given.is_valid()
    assert set(given.validated_data.values()) == {text}
    assert not TextsSerializer(data={"statement": " \n"}).is_valid()


@pytest.mark.parametrize("given", [{"text": "  x = 1 << 2\n    y >> 3"}, {"steps": ["  x = 1 << 2", "    y >> 3"]}])
def test_questions_to_the_verifier(given):
    asked = VerifierQuestionSerializer(data={"problem": " 1\n", "solutions": [given]})
    assert asked.is_valid(), asked.errors
    assert asked.validated_data["problem"] == " 1\n"
    assert asked.validated_data["solutions"] == [["  x = 1 << 2", "    y >> 3"]]


@pytest.mark.django_db
def test_rows_hold_what_the_file_says(tmp_path):
    records = [
        {"problem": f"{number}.\n{text}", "steps": [text, f"{text}."], "generator": "g"}
        for number, text in enumerate(SNIPPETS)
    ]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    (tmp_path / "texts.jsonl").write_text(lines, "utf-8")
    import_solutions(tmp_path / "texts.jsonl")
    assert {problem.statement for problem in Problem.objects.all()} == {record["problem"] for record in records}
    stored = {tuple(solution.steps) for solution in Solution.objects.all()}
    assert stored == {tuple(record["steps"]) for record in records}
