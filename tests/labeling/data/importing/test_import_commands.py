"""On a terminal, import commands show losses and ask before storing; without one, they never wait."""

import json
import sys

import pytest
from django.core.management import CommandError, call_command

from labeling.data.inspecting import asking
from labeling.jobs import lifecycle
from labeling.models import Gold, Solution
from labeling.rules.texts import cutting
from prm_training.models import Import
from prm_training.pool import importing

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


def test_without_a_terminal_it_imports_and_reports_losses(file, capsys):
    call_command("import", str(file), "--format", "solutions")
    told = capsys.readouterr()
    assert Solution.objects.count() == 1
    assert "“observations” is not imported" in told.err
    assert "“label” looks like labels" in told.err


def test_it_is_listed_with_its_licence_and_can_be_undone(file, capsys, admin_client):
    call_command(
        "import", str(file), "--format", "solutions", "--licence", "MIT", "--provenance", "https://example.org"
    )
    (run,) = admin_client.get("/api/imports/").json()["results"]
    assert (run["name"], run["status"], run["counts"]["solutions"]) == ("new.jsonl", "done", 1)
    assert (run["licence"], run["provenance"]) == ("MIT", "https://example.org")
    admin_client.post(f"/api/imports/{run['id']}/undo/")
    lifecycle.carry_out(run["id"], importing.import_file, worker="w")
    assert not Solution.objects.exists()


def test_an_import_of_nothing_is_not_listed(tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"problem": "1 + 1?"}\n')
    with pytest.raises(CommandError):
        call_command("import", str(bad), "--format", "solutions")
    assert not Import.objects.exists()


def test_an_interrupted_import_is_listed_as_failed_and_can_be_undone(file, monkeypatch, admin_client):
    monkeypatch.setattr(asking, "_go_through", cut_off(asking._go_through))
    with pytest.raises(KeyboardInterrupt):
        call_command("import", str(file), "--format", "solutions")
    (run,) = admin_client.get("/api/imports/").json()["results"]
    assert (run["status"], "Import the file again" in run["error"]) == ("failed", True)
    assert admin_client.get(f"/api/imports/{run['id']}/undo/").json()["solutions"] == 1


def cut_off(act):
    def interrupted(*args, **how):
        act(*args, **how)
        raise KeyboardInterrupt

    return interrupted


def test_the_guessed_format_is_reported(file, capsys):
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


def test_on_a_terminal_it_asks_for_confirmation(file, terminal):
    terminal("n")
    with pytest.raises(CommandError, match="Nothing was imported"):
        call_command("import", str(file))
    assert Solution.objects.count() == 0
    terminal("y")
    call_command("import", str(file))
    assert Solution.objects.count() == 1


def test_with_yes_it_does_not_ask(file, terminal):
    terminal("n")
    call_command("import", str(file), "--yes")
    assert Solution.objects.count() == 1


def test_labels_and_bad_lines_are_previewed_too(tmp_path, capsys):
    path = tmp_path / "labels.jsonl"
    good = {"prompt": "1 + 1?", "completions": ["We add.", "A: 3"], "labels": [True, False]}
    path.write_text(f"{json.dumps(good)}\n{json.dumps(good | {'labels': [True]})}")
    call_command("import", str(path), "--format", "trl", "--preview")
    told = capsys.readouterr()
    assert "labellings: 1" in told.out
    assert "  1. Great: We add.\n  2. Bad: A: 3\n" in told.out
    assert told.err.startswith("line 2: ")


@pytest.mark.parametrize(
    ("options", "kept", "steps", "told"),
    [
        (
            ["--split-by", "sentences"],
            ("sentences", ""),
            ["We add.", "So 2."],
            "Solutions whose steps are split by sentences: 1.",
        ),
        (["--mark", " add"], ("mark", " add"), ["We", ". So 2."], "Solutions whose steps are split by a mark: 1."),
        ([], ("usual", ""), ["We add. So 2."], "Solutions of one step: 1."),
    ],
)
def test_texts_are_cut_by_the_rule_that_is_named(tmp_path, capsys, options, kept, steps, told):
    path = tmp_path / "texts.jsonl"
    path.write_text(json.dumps({"problem": "1 + 1?", "generator": "g", "text": "We add. So 2."}))
    call_command("import", str(path), "--preview", *options)
    assert told in capsys.readouterr().out
    call_command("import", str(path), *options)
    assert Solution.objects.get().steps == steps
    run = Import.objects.get()
    assert (run.split_by, run.mark, run.split_version) == (*kept, cutting.VERSION)


def test_an_unknown_rule_is_refused(file):
    with pytest.raises(CommandError, match="split-by"):
        call_command("import", str(file), "--split-by", "words")


def test_a_mark_with_another_rule_is_refused(file):
    with pytest.raises(CommandError, match="The rule “lines” cuts at no mark"):
        call_command("import", str(file), "--split-by", "lines", "--mark", "@@")
