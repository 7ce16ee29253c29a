"""The markup of imports is the one chosen, else guessed from the first texts; texts stay unchanged."""

import json

import pytest
from django.core.management import call_command

from labeling.data import importing
from labeling.data.importing import ImportReport
from labeling.data.importing.marking import Shown
from labeling.models import Problem, Solution

pytestmark = pytest.mark.django_db
STEPS = ["def f(x):\n    return x  # COUNT(*) of __init__", "# a comment\nprint(f(2))"]
STATEMENT = "Write a function that gives **back** what it is given."


@pytest.fixture
def path(tmp_path):
    def write(*records):
        file = tmp_path / "new.jsonl"
        file.write_text("\n".join(map(json.dumps, records)))
        return file

    return write


def record(steps=STEPS, statement=STATEMENT):
    return {"problem": statement, "steps": steps, "generator": "g"}


def stored():
    return Problem.objects.get().markup, Solution.objects.get().markup


def test_it_is_guessed_for_problems_and_for_steps(path):
    report = importing.import_solutions(path(record()))
    assert stored() == ("markdown", "code")
    assert str(report.shown) == "Problems are shown as markdown, steps as code (guessed from the first ones)."


def test_it_may_be_chosen(path):
    report = importing.import_solutions(path(record()), report=ImportReport(shown=Shown("plain", "mathematics")))
    assert stored() == ("plain", "mathematics")
    assert not report.shown.is_guessed


def test_only_what_is_not_chosen_is_guessed(path):
    importing.import_solutions(path(record()), report=ImportReport(shown=Shown(statements="plain")))
    assert stored() == ("plain", "code")


def test_texts_stay_as_they_are(path):
    importing.import_solutions(path(record()))
    assert (Problem.objects.get().statement, Solution.objects.get().steps) == (STATEMENT, STEPS)


def test_a_known_problem_keeps_its_own(path):
    importing.import_solutions(path(record()))
    importing.import_solutions(path(record(["Just words."])), report=ImportReport(shown=Shown("plain", "plain")))
    assert Problem.objects.get().markup == "markdown"
    assert set(Solution.objects.values_list("markup", flat=True)) == {"code", "plain"}


def test_the_commands_take_and_say_it(path, capsys):
    call_command("import", str(path(record())), "--markup", "markdown")
    assert stored() == ("markdown", "markdown")
    assert "Problems are shown as markdown, steps as markdown (guessed from the first ones)." in capsys.readouterr().out


def test_labels_are_shown_as_they_look(path, capsys):
    label = {"completions": [{"text": STEPS[0], "rating": 1, "flagged": False}], "chosen_completion": 0}
    asked = {"problem": STATEMENT, "ground_truth_answer": ""}
    given = {"steps": [label], "total_time": 1, "finish_reason": "solution"}
    file = path({"labeler": None, "timestamp": "2022-07-30T23:23:32.118856", "question": asked, "label": given})
    call_command("import", str(file))
    assert stored() == ("markdown", "code")
    assert "steps as code (guessed" in capsys.readouterr().out
