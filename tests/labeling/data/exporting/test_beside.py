"""Labels are put into a copy of the file that their traces came from; nothing else in it changes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from labeling.data.exporting import LabelFilter
from labeling.data.exporting.beside import write_beside
from labeling.data.exporting.rewriting import rewrite
from labeling.data.formats import guess
from labeling.data.formats.fields import FormatError
from labeling.data.formats.files import Unreadable, read_records
from labeling.data.formats.labels import SEVERAL
from labeling.data.formats.labels.agents import labelled_traces
from labeling.data.formats.notes import Notes
from labeling.data.formats.traces.beside import ATTRIBUTE, HOLDERS, Judgement, put
from labeling.data.formats.traces.spans import opentelemetry
from labeling.data.formats.traces.taken import has_labels, take
from labeling.data.importing import import_gold, import_solutions
from labeling.models import Gold, Solution
from tests.labeling.data.formats.traces.records import RECORDS as TRACES
from tests.labeling.data.formats.traces.records import SESSION
from tests.real_data import DATA

PLAIN = {"id": "1", "problem": "What is 2 + 3?", "steps": ["2 + 3 = 5.", "", {"text": "So 5."}], "mine": 1}
RECORDS = TRACES | {"solutions": PLAIN}
MESSAGE = '[{"role": "%s", "content": "Two seats."}]'
ASKED, ANSWERED = MESSAGE % "user", MESSAGE % "assistant"
SPAN = {
    "traceId": "t1",
    "spanId": "s",
    "attributes": {"gen_ai.input.messages": ASKED, "gen_ai.output.messages": ANSWERED},
}
EVERY = [*RECORDS]
BAD_LINE = "{broken\n"
FOLDER = DATA / "agents"
FILES = sorted(path for path in FOLDER.rglob("*") if path.is_file() and "labels" not in path.name)


def without_ours(value: Any) -> Any:
    """Returns the value without our labels, and without objects made only to hold them."""
    if isinstance(value, list):
        return [without_ours(each) for each in value if not (isinstance(each, dict) and each.get("key") == ATTRIBUTE)]
    if not isinstance(value, dict):
        return value
    inner = {key: without_ours(each) for key, each in value.items() if key not in {"stepmark", ATTRIBUTE}}
    return {key: each for key, each in inner.items() if each != {} or value[key] == {}}


def judged(file_format: str, record: dict[str, Any], rating: int | None = -1) -> list[list[Judgement]]:
    """Returns a judgement of the last step of each of the record's solutions."""
    solutions = HOLDERS[file_format](record, Notes())
    return [[Judgement({"labelling": "l1", "annotator": "a"}, {len(each.steps) - 1: rating})] for each in solutions]


def judged_twice(file_format: str, record: dict[str, Any]) -> list[list[Judgement]]:
    """Returns two judgements of all steps of each of the record's solutions."""
    solutions, found = HOLDERS[file_format](record, Notes()), list[list[Judgement]]()
    for number, solution in enumerate(solutions):
        ratings = [(1, 0, None, -1)[step % 4] for step in range(len(solution.steps))]
        both = (("a", ratings), ("b", ratings[::-1]))
        found.append([Judgement({"labelling": f"{who}{number}"}, dict(enumerate(given))) for who, given in both])
    return found


def taken(file_format: str, record: dict[str, Any]) -> list[list[Judgement]]:
    """Returns the judgements in the record for each of its solutions."""
    return take(file_format, record, HOLDERS[file_format](record, Notes()))


@pytest.mark.parametrize("file_format", EVERY)
def test_labels_put_into_a_record_are_read_back(file_format: str) -> None:
    record = RECORDS[file_format]
    assert not has_labels(file_format, record)
    assert not any(taken(file_format, record))
    given = judged_twice(file_format, record)
    changed = put(file_format, record, given)
    assert has_labels(file_format, changed)
    assert taken(file_format, changed) == given
    assert guess.labels_of(changed) == "labelled_traces"


def test_spans_are_read_equally_often_for_any_number_of_traces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def times(traces: int) -> int:
        spans = [json.loads(json.dumps(SPAN).replace('"t1"', f'"t{number}"')) for number in range(traces)]
        walks = list[int]()
        monkeypatch.setattr(opentelemetry, "spans_of", lambda record: walks.append(1) or spans_of(record))
        changed = put("opentelemetry", {"spans": spans}, judged("opentelemetry", {"spans": spans}))
        assert len(taken("opentelemetry", changed)) == traces
        return len(walks)

    spans_of = opentelemetry.spans_of
    assert times(2) == times(5)


@pytest.mark.parametrize("labels", [{"2": 2}, {"2": True}, {"1": 1}, {"x": 1}])
def test_invalid_labels_are_refused(labels: dict[str, Any]) -> None:
    with pytest.raises(FormatError, match="stepmark"):
        taken("messages", {**RECORDS["messages"], "stepmark": [{"labelling": "l1", "step_labels": labels}]})


@pytest.mark.parametrize("file_format", EVERY)
def test_nothing_else_of_a_record_changes(file_format: str) -> None:
    record = RECORDS[file_format]
    before = json.dumps(record)
    changed = put(file_format, record, judged(file_format, record))
    assert json.dumps(record) == before
    assert changed != record
    assert without_ours(changed) == record
    assert HOLDERS[file_format](changed, Notes()) == HOLDERS[file_format](record, Notes())
    assert put(file_format, changed, judged(file_format, changed)) == changed


def test_the_labels_stand_at_their_message() -> None:
    def labelled(file_format: str) -> dict[str, Any]:
        return put(file_format, RECORDS[file_format], judged(file_format, RECORDS[file_format]))

    entry = [{"labelling": "l1", "rating": -1}]
    atif = labelled("atif")
    assert atif["steps"][3]["extra"] == {"note": "kept", "stepmark": entry}
    assert atif["extra"]["stepmark"] == [{"labelling": "l1", "annotator": "a"}]
    assert labelled("messages")["stepmark"] == [{"labelling": "l1", "annotator": "a", "step_labels": {"4": -1}}]
    scores = labelled("inspect")["scores"]
    assert scores.keys() == {"match", "stepmark"}
    assert scores["stepmark"]["value"] == {"3": -1}
    assert [line.get("stepmark") for line in labelled("sessions")["session"]][5] == [
        {"labelling": "l1", "annotator": "a", "rating": -1}
    ]
    spans = labelled("opentelemetry")["resourceSpans"][0]["scopeSpans"][0]["spans"]
    keys = [[attribute["key"] for attribute in span["attributes"]] for span in spans]
    assert [ATTRIBUTE in each for each in keys] == [True, False, False]


def write(path: Path, content: str) -> Path:
    path.write_text(content)
    return path


def files(tmp_path: Path) -> dict[str, Path]:
    """Writes a file of each kind of container, with one or more traces. Returns their paths by kind."""
    one, other = RECORDS["messages"], {**RECORDS["messages"], "task_id": 8}
    log = {"version": 2, "status": "success", "eval": {"model": "m"}, "samples": [RECORDS["inspect"]], "stats": {}}
    made = {
        "lines": "\n".join(["", json.dumps(one), BAD_LINE + json.dumps(other)]),
        "list": json.dumps([one, other], indent=2),
        "under a key": json.dumps({"name": "e", "rows": [{"row": one}], "n": 1.5e300}),
        "document": json.dumps(RECORDS["atif"], indent=4, ensure_ascii=False),
        "log": json.dumps(log),
        "session": "\n".join(map(json.dumps, SESSION)) + "\n" + BAD_LINE,
        "spans": json.dumps(RECORDS["opentelemetry"]),
    }
    return {name: write(tmp_path / f"{name}.json", content) for name, content in made.items()}


def rewritten(source: Path, output: Path) -> tuple[str, int]:
    """Writes a copy with a judgement of each trace. Returns its text and the number of traces."""
    seen = list[str]()

    def change(record: dict[str, Any]) -> dict[str, Any]:
        seen.append(name := guess.holder_of(record))
        return put(name, record, judged(name, record))

    with output.open("wb") as file:
        rewrite(source, file, change)
    return output.read_text(), len(seen)


@pytest.mark.parametrize("kind", ["lines", "list", "under a key", "document", "log", "session", "spans"])
def test_a_file_keeps_its_form(tmp_path: Path, kind: str) -> None:
    source = files(tmp_path)[kind]
    text, traces = rewritten(source, tmp_path / "out")
    assert traces == (2 if kind in {"lines", "list"} else 1)
    original = source.read_text()
    if kind in {"lines", "session"}:
        for new, old in zip(text.splitlines(), original.splitlines(), strict=True):
            assert new == old if old in {"", BAD_LINE.strip()} else without_ours(json.loads(new)) == json.loads(old)
        return
    assert without_ours(json.loads(text)) == json.loads(original)
    assert text.startswith(original[:20])
    names = [guess.holder_of(record) for record in _records(tmp_path / "out")]
    assert names == [guess.holder_of(record) for record in _records(source)]


def _records(path: Path) -> list[dict[str, Any]]:
    return [item[1] for item in read_records(path) if isinstance(item, tuple)]


def test_an_archive_keeps_its_other_members(tmp_path: Path) -> None:
    source = tmp_path / "log.eval"
    with ZipFile(source, "w") as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/1_epoch_1.json", json.dumps(RECORDS["inspect"]))
    with (tmp_path / "out.eval").open("wb") as file:
        rewrite(source, file, lambda record: put("inspect", record, judged("inspect", record)))
    with ZipFile(tmp_path / "out.eval") as copy:
        assert copy.namelist() == ["header.json", "samples/1_epoch_1.json"]
        assert without_ours(json.loads(copy.read("samples/1_epoch_1.json"))) == RECORDS["inspect"]


@pytest.mark.parametrize("content", ["problem,answer\n1,2\n", "", "[1", "PK\x03\x04"])
def test_a_file_without_traces_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(Unreadable), (tmp_path / "out").open("wb") as file:
        rewrite(write(tmp_path / "file", content), file, lambda record: record)


@pytest.mark.skipif(not FILES, reason="no traces in the folder of data")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_reading_writing_and_reading_a_real_file_changes_nothing(tmp_path: Path, path: Path) -> None:
    source, out = tmp_path / path.name.removesuffix(".gz"), tmp_path / f"out-{path.name.removesuffix('.gz')}"
    source.write_bytes(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
    with out.open("wb") as file:
        rewrite(source, file, lambda record: put(name := guess.holder_of(record), record, judged_twice(name, record)))
    before, after = _records(source), _records(out)
    assert before
    assert [without_ours(record) for record in after] == before
    for old, new in zip(before, after, strict=True):
        name = guess.holder_of(old)
        assert new != old
        assert HOLDERS[name](old, Notes()) == HOLDERS[name](new, Notes())
        assert taken(name, new) == judged_twice(name, old)


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    path = files(tmp_path)["lines"]
    import_solutions(path, source="tau", file_format="messages")
    return path


@pytest.mark.django_db
def test_the_labels_as_they_stand_are_put_into_the_file(make: Any, imported: Path, tmp_path: Path) -> None:
    task = make.task(make.phase(), overlap=2, solution=Solution.objects.get())
    first, second = make.labelling(task, 1, -1), make.labelling(task, -1, annotator=make.user())
    call_command("export", "--into", str(imported), "--output", str(tmp_path / "out.jsonl.gz"))
    lines = gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes()).decode().splitlines()
    found = [{each["labelling"]: each["step_labels"] for each in json.loads(lines[at])["stepmark"]} for at in (1, 3)]
    assert found == [{str(first.pk): {"2": 1, "4": -1}, str(second.pk): {"2": -1}}] * 2
    counts = write_beside(LabelFilter(split="test"), source=imported, output=tmp_path / "none.jsonl")
    assert counts == {"solutions": 2, "labelled": 0, "labellings": 0}
    assert [*map(json.loads, (tmp_path / "none.jsonl").read_text().splitlines()[3:])] == [json.loads(without(lines[3]))]


@pytest.mark.django_db
def test_the_result_and_mistakes_are_put_beside_the_ratings(make: Any, imported: Path, tmp_path: Path) -> None:
    kinds = [{"key": "i", "name": "Invention", "parent": "", "help": ""}]
    task = make.task(make.phase(error_kinds=kinds, asks_result=True), solution=Solution.objects.get())
    labelling = make.labelling(task, 1, -1, result="wrong")
    labelling.completions.filter(step=1).update(error_kind="i", error_start=0, error_end=4, root_cause=0)
    write_beside(LabelFilter(), source=imported, output=tmp_path / "out.jsonl")
    (said,) = json.loads((tmp_path / "out.jsonl").read_text().splitlines()[1])["stepmark"]
    error = {"kind": "Invention", "start": 0, "end": 4, "words": "step", "root_cause": 2}
    assert (said["result"], said["step_errors"]) == ("wrong", {"4": error})
    report = import_gold(tmp_path / "out.jsonl", file_format="labelled_traces")
    assert report.golds == 1
    assert Gold.objects.get().mistakes == [{"step": 1, "kind": "Invention", "root_cause": 0}]
    assert f"{labelled_traces.LEFT_OUT}: 4" in str(report.notes)


@pytest.mark.parametrize("file_format", EVERY)
def test_mistakes_are_put_beside_their_ratings(file_format: str) -> None:
    record = RECORDS[file_format]
    given = judged_twice(file_format, record)
    said = [
        [Judgement(each.said, each.ratings, {0: {"kind": "Invention", "root_cause": 0}}) for each in own]
        for own in given
    ]
    changed = put(file_format, record, said)
    assert '"kind": "Invention"' in json.dumps(changed).replace("\\", "").replace('"kind":"', '"kind": "')
    assert without_ours(changed) == record
    assert taken(file_format, changed) == said


@pytest.mark.django_db
def test_labels_beside_the_text_come_back_as_gold(make: Any, imported: Path, tmp_path: Path) -> None:
    task = make.task(make.phase(), overlap=2, solution=Solution.objects.get())
    make.labelling(task, 1, -1)
    write_beside(LabelFilter(), source=imported, output=tmp_path / "out.jsonl")
    report = import_gold(tmp_path / "out.jsonl", file_format="labelled_traces", gold_set="agreed")
    assert (report.golds, report.duplicates, report.solutions) == (1, 0, 0)
    assert Gold.objects.values_list("solution", "ratings", "gold_set").get() == (task.solution_id, [1, -1], "agreed")


@pytest.mark.django_db
def test_solutions_without_turns_get_their_labels_too(make: Any, tmp_path: Path) -> None:
    source = write(tmp_path / "plain.jsonl", json.dumps(PLAIN | {"generator": "m"}) + "\n")
    import_solutions(source, source="sums")
    make.labelling(make.task(make.phase(), solution=Solution.objects.get()), 1, -1)
    counts = write_beside(LabelFilter(), source=source, output=tmp_path / "out.jsonl")
    assert counts == {"solutions": 1, "labelled": 1, "labellings": 1}
    report = import_gold(tmp_path / "out.jsonl", file_format="labelled_traces", gold_set="agreed")
    assert [str(error) for error in report.errors] == []
    assert report.golds == 1
    assert Gold.objects.get().ratings == [1, -1]


@pytest.mark.django_db
def test_contradictory_and_incomplete_labels_are_left_out(tmp_path: Path) -> None:
    def labelled(*each: dict[str, Any]) -> str:
        given = [{"labelling": str(number), "step_labels": labels} for number, labels in enumerate(each)]
        return json.dumps({**RECORDS["messages"], "stepmark": given})

    records = [labelled({"2": 1, "4": -1}, {"2": -1}), labelled(), labelled({"2": 1, "4": None})]
    report = import_gold(write(tmp_path / "f.jsonl", "\n".join(records)), file_format="labelled_traces")
    assert (report.golds, report.errors) == (0, [])
    assert [(what.split(",")[0], many) for what, many, _ in report.notes] == [
        ("solutions whose labellings disagree", 1),
        ("solutions without labels", 1),
        ("solutions that are judged neither to a mistake nor to their end", 1),
    ]


def test_a_ruling_takes_precedence_over_labellings() -> None:
    given = [{"labelling": "a", "step_labels": {"2": -1}}]
    given.append({"labelling": "b", "method": "ruling", "step_labels": {"2": 1, "4": 0}})
    (labelling,) = SEVERAL["labelled_traces"]({**RECORDS["messages"], "stepmark": given}, Notes())
    assert [item.rating for item in labelling.path] == [1, 0]


@pytest.mark.parametrize(
    ("given", "expected", "noted"),
    [
        ([{"2": -1, "4": 1}, {"2": -1, "4": -1}], [(0, -1)], [labelled_traces.DISPUTED_LATER]),
        ([{"2": -1, "4": 1}, {"2": -1}], [(0, -1), (1, 1)], []),
        ([{"2": -1}, {"2": -1, "4": 0}, {"2": -1, "4": 0}], [(0, -1), (1, 0)], []),
        ([{"2": -1}, {"4": -1}], None, [labelled_traces.DISPUTED]),
    ],
)
def test_only_what_labellings_agree_on_is_read(given: Any, expected: Any, noted: list[str]) -> None:
    labels = [{"labelling": str(number), "step_labels": each} for number, each in enumerate(given)]
    found = SEVERAL["labelled_traces"]({**RECORDS["messages"], "stepmark": labels}, notes := Notes())
    assert [[(item.step, item.rating) for item in each.completions] for each in found] == (
        [expected] if expected else []
    )
    assert [(what, many) for what, many, _ in notes] == [(what, 1) for what in noted]


def without(line: str) -> str:
    return json.dumps(without_ours(json.loads(line)))


@pytest.mark.django_db
def test_a_file_without_solutions_leaves_no_copy(tmp_path: Path) -> None:
    source = write(tmp_path / "plain.jsonl", '{"problem": "1 + 1?"}\n')
    with pytest.raises(CommandError, match="Nothing in this file can hold labels"):
        call_command("export", "--into", str(source), "--output", str(tmp_path / "out.jsonl"))
    with pytest.raises(CommandError, match="No such file"):
        call_command("export", "--into", str(tmp_path / "none"), "--output", str(tmp_path / "out.jsonl"))
    assert not (tmp_path / "out.jsonl").exists()
