import json

import pytest
from django.core.management import CommandError, call_command

from labeling.data.formats import chat, columns
from labeling.data.formats.columns import Columns, UnknownColumn
from labeling.data.formats.fields import Cells, FormatError
from labeling.data.formats.notes import Notes
from labeling.models import Solution


def renamed(*records, told=None, generator=""):
    notes = Notes()
    rename = Columns(notes, told, generator)
    return [rename(record) for record in records], {what: many for what, many, _ in notes}


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("problem generator steps", {}),
        ("question response model", {"question": "problem", "response": "text", "model": "generator"}),
        ("prompt completion model_name", {"prompt": "problem", "completion": "text", "model_name": "generator"}),
        ("instruction input output", {"instruction": "problem", "output": "text"}),
        ("problem solution answer", {"solution": "reference_solution"}),
        ("problem solution answer model", {"model": "generator", "solution": "text"}),
        ("question answer", {"question": "problem", "answer": "reference_answer"}),
        ("question answer model", {"question": "problem", "model": "generator", "answer": "text"}),
        ("question answer output", {"question": "problem", "output": "text", "answer": "reference_answer"}),
        ("problem answer steps ground_truth", {"ground_truth": "reference_answer"}),
        ("problem question text response", {}),
    ],
)
def test_well_known_names_are_guessed(names, expected):
    assert columns.guessed(dict.fromkeys(names.split(), "x")) == expected


def test_only_guessed_columns_are_reported():
    records = [{"question": "1?", "out": "a", "model": "m"}, {"question": "2?", "out": "b", "model": "m"}]
    found, notes = renamed(*records, told={"out": "text"})
    assert found[0] == {"problem": "1?", "text": "a", "generator": "m"}
    assert notes == {"“question” read as “problem”": 2, "“model” read as “generator”": 2}


def test_a_given_column_takes_precedence():
    (found,), notes = renamed({"problem": "x", "question": "1?", "text": "a"}, told={"question": "problem"})
    assert found == {"problem": "1?", "text": "a"}
    assert notes == {}


@pytest.mark.parametrize("given", [{}, {"generator": None}, {"generator": ""}, {"generator": " "}])
def test_a_default_generator_is_counted(given):
    (one, other), notes = renamed(given, {"generator": "own"}, generator="toy")
    assert (one["generator"], other["generator"]) == ("toy", "own")
    assert list(notes.values()) == [1]


@pytest.mark.parametrize("pair", ["question", "=problem", "question=nothing", "a=b=c"])
def test_a_pair_without_a_known_field_is_refused(pair):
    with pytest.raises(UnknownColumn, match="COLUMN=FIELD"):
        columns.told([pair])


def test_a_column_that_the_table_lacks_is_refused():
    with pytest.raises(UnknownColumn, match="There is no column “x”, but a, b"):
        renamed(Cells(a="1", b="2"), told={"x": "problem"})


USER, MODEL = {"role": "user", "content": "1?"}, {"role": "assistant", "content": "a"}


@pytest.mark.parametrize(
    "record",
    [
        {"messages": [USER, MODEL]},
        {"messages": [{"role": "system", "content": "Think."}, USER, MODEL]},
        {"conversations": [{"from": "human", "value": "1?"}, {"from": "gpt", "value": "a"}]},
        {"messages": [USER | {"content": [{"type": "text", "text": "1?"}]}, MODEL]},
        {"prompt": [USER], "completion": [MODEL]},
    ],
)
def test_a_chat_is_a_problem_with_a_text(record):
    notes = Notes()
    assert chat.from_messages(record | {"model": "m"}, notes) == {"model": "m", "problem": "1?", "text": "a"}
    assert len(list(notes)) == (len(record.get("messages", [])) == 3)


def test_reasoning_is_part_of_the_text():
    found = chat.from_messages({"messages": [USER, MODEL | {"reasoning_content": "Let me see."}]}, Notes())
    assert found["text"] == "Let me see.\n\na"


@pytest.mark.parametrize("messages", [[USER], [MODEL, USER], [USER, MODEL, USER, MODEL], [USER, USER, MODEL]])
def test_other_chats_are_refused(messages):
    with pytest.raises(FormatError, match="messages: one question with one answer can be read"):
        chat.from_messages({"messages": messages}, Notes())


@pytest.mark.django_db
def test_the_command_maps_columns(tmp_path, capsys):
    path = tmp_path / "x.csv"
    path.write_text('task,response,gold\n1 + 1?,"We add.\n\nA: 2",2.0\n')
    call_command("import", str(path), "--map", "task=problem", "--generator", "toy")
    solution = Solution.objects.get()
    assert (solution.steps, solution.generator, solution.verdict) == (["We add.", "A: 2"], "toy", "right")
    assert "“response” read as “text”: 1" in capsys.readouterr().err


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--map", "x=problem"], "There is no column “x”, but task, response"),
        ([], "The table has no column “problem”, but task, response"),
        (["--map", "task=problem"], "The table has no column “generator”"),
        (["--map", "task"], "COLUMN=FIELD"),
        (["--format", "gsm8k"], "The table has no column “question”, but task, response"),
    ],
)
def test_a_table_that_lacks_a_column_is_named_in_a_sentence(tmp_path, options, said, capsys):
    path = tmp_path / "x.csv"
    path.write_text("task,response\n" + "1,2\n" * 100)
    with pytest.raises(CommandError, match=said):
        call_command("import", str(path), *options)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The submitted file is empty."),
        (b"\n\n", "There is no record in the file."),
        (json.dumps({"prompt": "1?", "completions": ["a"], "labels": [True]}).encode(), "looks like TRL"),
        (b"version https://git-lfs.github.com/spec/v1\n", "run git lfs pull"),
    ],
)
def test_an_import_of_nothing_fails(tmp_path, content, said):
    (tmp_path / "x.jsonl").write_bytes(content)
    with pytest.raises(CommandError, match=said):
        call_command("import", str(tmp_path / "x.jsonl"), "--format", "solutions")
