"""On a terminal, import commands show losses and ask before storing; without one, they never wait."""

import json
import sys

import pytest
from django.core.management import CommandError, call_command

from labeling.models import Gold, Solution

pytestmark = pytest.mark.django_db
RECORD = {"problem": "1 + 1?", "reference_answer": "2", "generator": "g", "steps": ["We add.", "A: 2"]}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "new.jsonl"
    path.write_text(json.dumps(RECORD | {"observations": "It rained.", "label": 1}))
    return path


@pytest.fixture
def terminal(monkeypatch):
    """A terminal at which a person answers."""

    def answers(text):
        for stream in (sys.stdin, sys.stdout):
            monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
        monkeypatch.setattr("builtins.input", lambda question: text)

    return answers


def test_without_a_terminal_it_imports_and_says_what_was_lost(file, capsys):
    call_command("import", str(file), "--format", "solutions")
    told = capsys.readouterr()
    assert Solution.objects.count() == 1
    assert "“observations” is not imported" in told.err
    assert "“label” looks like labels" in told.err


def test_the_format_that_was_guessed_is_said(file, capsys):
    call_command("import", str(file))
    assert "Read as ProcessBench; --format names another" in capsys.readouterr().out
    assert Gold.objects.count() == 1


@pytest.mark.parametrize("option", ["--preview", "--dry-run"])
def test_a_preview_shows_the_records_and_stores_nothing(file, capsys, option):
    call_command("import", str(file), option, "--format", "solutions")
    told = capsys.readouterr()
    assert Solution.objects.count() == 0
    assert "Line 1: 1 + 1?" in told.out
    assert "  2. A: 2" in told.out
    assert "solutions: 1" in told.out
    assert "It looks like ProcessBench" in told.out
    assert "“observations” is not imported" in told.err


def test_on_a_terminal_somebody_is_asked(file, terminal):
    terminal("n")
    with pytest.raises(CommandError, match="Nothing was imported"):
        call_command("import", str(file))
    assert Solution.objects.count() == 0
    terminal("y")
    call_command("import", str(file))
    assert Solution.objects.count() == 1


def test_yes_asks_nobody(file, terminal):
    terminal("n")
    call_command("import", str(file), "--yes")
    assert Solution.objects.count() == 1


def test_labels_are_previewed_too(tmp_path, capsys):
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps({"prompt": "1 + 1?", "completions": ["A: 3"], "labels": [False]}))
    call_command("import", str(path), "--format", "trl", "--preview")
    assert "labellings: 1" in capsys.readouterr().out
