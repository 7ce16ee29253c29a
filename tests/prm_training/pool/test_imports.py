"""/api/imports/: uploads survive their worker's death, and report bad lines."""

import gzip
import json
from pathlib import Path

import pytest
from django.utils import timezone

from labeling.data.importing import NothingImported
from labeling.jobs import lifecycle
from labeling.models import Change, Gold, Problem, Run, Solution
from prm_training.models import Import
from prm_training.pool import importing

pytestmark = pytest.mark.django_db

LABELLED = {"id": "p", "problem": "1 + 1?", "steps": ["A: 3"], "generator": "g", "label": 0}


def solution(number):
    text = {"problem": f"{number} + 1?", "reference_answer": str(number + 1), "generator": "g"}
    return text | {"id": f"s{number}", "steps": ["We add.", f"A: {number + 1}"], "correct": True}


def lines(*records):
    return b"\n".join(record if isinstance(record, bytes) else json.dumps(record).encode() for record in records)


def carried_out(run):
    lifecycle.carry_out(run.pk, importing.import_file, worker="w")
    run.refresh_from_db()
    return run


def fails(run):
    with pytest.raises(NothingImported):
        carried_out(run)
    run.refresh_from_db()
    assert run.status == "failed"
    return run


def test_it_works(upload, broker, admin, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        response = upload(lines(solution(1), b"{", solution(2), b"[]"), target="tests")
    body = response.json()
    assert (response.status_code, body["status"], body["name"], body["owner"]) == (201, "queued", "new.jsonl", "alma")
    assert broker() == [("prm_training.run", "import", body["id"])]
    run = carried_out(Import.objects.get(pk=body["id"]))
    assert (run.status, run.error, run.done) == ("done", "", run.total)
    assert (run.counts["solutions"], run.counts["errors"]) == (2, 2)
    assert set(Solution.objects.values_list("source", flat=True)) == {"tests"}
    assert not Path(run.file.path).exists()
    (change,) = Change.objects.filter(act="import")
    assert (change.by, change.after["target"]) == (admin, "tests")


def test_rows_know_which_import_brought_them(stored):
    first = carried_out(stored(lines(solution(1))))
    carried_out(stored(lines(solution(1), solution(2) | {"problem": "1 + 1?"})))
    assert Problem.objects.get().origin == first.pk
    assert dict(Solution.objects.values_list("external_id", "origin"))["s1"] == first.pk
    assert Solution.objects.filter(origin=first.pk).count() == 1


def test_the_bad_lines_can_be_downloaded(stored, admin_client):
    run = carried_out(stored(lines(solution(1), b"{", solution(2), b"7")))
    answer = admin_client.get(f"/api/imports/{run.pk}/errors/")
    header, *rows = answer.getvalue().decode().splitlines()
    assert (header, [row.split(",")[0] for row in rows]) == ("line,reason", ["2", "4"])
    assert "attachment" in answer["Content-Disposition"]


def test_an_atomic_import_with_a_bad_line_imports_nothing(stored):
    run = fails(stored(lines(solution(1), b"{"), is_atomic=True))
    assert (run.counts["errors"], Solution.objects.count()) == (1, 0)
    assert run.error.startswith("Nothing was imported. Bad lines: 1. Line 2: not JSON")


def test_an_import_resumes_after_its_workers_death_and_counts_once(stored, monkeypatch):
    monkeypatch.setattr("labeling.data.importing.reading.BATCH", 2)
    monkeypatch.setattr(importing, "REPORT_EVERY_SECONDS", 0)
    run = stored(lines(*[solution(number) for number in range(7)], solution(0) | {"id": "again"}))

    def dies(run, report):
        def heard(*, done=0, **columns):
            report(done=done, **columns)
            if columns["counts"]["solutions"] >= 4:
                raise lifecycle.Interrupted

        importing.import_file(run, heard)

    lifecycle.carry_out(run.pk, dies, worker="dead")
    run.refresh_from_db()
    assert (run.status, Solution.objects.count()) == ("queued", 4)
    run = carried_out(run)
    assert (run.status, Solution.objects.count()) == ("done", 7)
    assert {name: run.counts[name] for name in ("problems", "solutions", "draws", "duplicates")} == {
        "problems": 7,
        "solutions": 7,
        "draws": 8,
        "duplicates": 0,
    }


def test_an_import_whose_worker_died_after_the_last_record_is_done(stored):
    run = stored(lines(solution(1)))

    def dies(run, report):
        importing.import_file(run, report)
        raise lifecycle.Interrupted

    lifecycle.carry_out(run.pk, dies, worker="dead")
    run = carried_out(run)
    assert (run.status, run.error, run.counts["solutions"]) == ("done", "", 1)


def test_a_cancelled_import_keeps_whole_batches_and_its_file(stored, monkeypatch, admin_client):
    monkeypatch.setattr("labeling.data.importing.reading.BATCH", 2)
    monkeypatch.setattr(importing, "REPORT_EVERY_SECONDS", 0)
    run = stored(lines(*[solution(number) for number in range(6)]))

    def cancelled_midway(run, report):
        def heard(*, done=0, **columns):
            if columns["counts"]["solutions"] == 2:
                admin_client.post(f"/api/runs/{run.pk}/cancel/")
            report(done=done, **columns)

        importing.import_file(run, heard)

    lifecycle.carry_out(run.pk, cancelled_midway, worker="w")
    run.refresh_from_db()
    assert (run.status, run.counts["solutions"], Solution.objects.count()) == ("cancelled", 2, 2)
    assert Path(run.file.path).exists()
    assert admin_client.post(f"/api/runs/{run.pk}/retry/").json()["status"] == "queued"


PRM800K = {"question": {"problem": "1 + 1?"}, "label": {"steps": []}}
TRL = {"prompt": "1 + 1?", "completions": ["2"], "labels": [True]}


@pytest.mark.parametrize(("record", "format_"), [(PRM800K, "PRM800K labels"), (TRL, "TRL stepwise"), ({"a": 1}, "")])
def test_a_file_of_bad_lines_only_fails_and_says_what_it_looks_like(stored, record, format_):
    run = fails(stored(lines(*[record] * 3)))
    assert (run.counts["errors"], [line for line, _ in run.errors]) == (3, [1, 2, 3])
    assert run.error.startswith("Nothing was imported. Bad lines: 3. Line 1: ")
    assert format_ in run.error
    assert ("looks like" in run.error) == bool(format_)


def test_a_file_without_a_record_fails(stored):
    assert fails(stored(b" \n\n")).error == "There is no record in the file."


def test_a_large_file_in_a_wrong_format_is_given_up_early(stored):
    run = fails(stored(lines(*[PRM800K] * 5000)))
    assert (run.counts["errors"], len(run.errors)) == (1000, 1000)
    assert "None of the first 1,000 lines" in run.error


def test_an_import_of_duplicates_alone_is_no_failure(stored):
    carried_out(stored(lines(solution(1))))
    run = carried_out(stored(lines(solution(1), b"{")))
    assert (run.status, run.counts["duplicates"], run.counts["errors"]) == ("done", 1, 1)


@pytest.mark.any_database
def test_an_import_of_blank_lines_shows_progress_and_can_be_cancelled(stored, monkeypatch, admin_client):
    monkeypatch.setattr("labeling.data.importing.reading.LOOK_EVERY_SECONDS", 0.01)
    monkeypatch.setattr("labeling.data.formats.files.lines.MAX_WASTE_BYTES", 1 << 40)
    monkeypatch.setattr(importing, "REPORT_EVERY_SECONDS", 0)
    run = stored(gzip.compress(b"\n" * 200_000_000, 1))
    told = []

    def cancelled_midway(run, report):
        def heard(*, done=0, **columns):
            told.append(done)
            if done:
                admin_client.post(f"/api/runs/{run.pk}/cancel/")
            report(done=done, **columns)

        importing.import_file(run, heard)

    lifecycle.carry_out(run.pk, cancelled_midway, worker="w")
    run.refresh_from_db()
    assert (run.status, run.counts["errors"]) == ("cancelled", 0)
    assert 0 < told[-1] < run.file.size


def test_a_phase_in_use_fails_the_import_with_its_reason(stored, phase):
    completion = {"text": "A: 2", "rating": 1}
    label = {"steps": [{"completions": [completion], "chosen_completion": 0}], "finish_reason": "solution"}
    record = {"labeler": "x", "question": {"problem": "1 + 1?"}, "label": label}
    with pytest.raises(Exception, match="closed phase"):
        carried_out(stored(lines(record), file_format="prm800k", target=make_alternatives(phase)))
    assert "closed phase" in Import.objects.get().error


def make_alternatives(phase):
    phase.kind = "alternatives"
    phase.save()
    return phase.name


def test_processbench_becomes_gold_in_the_pool(stored):
    steps = ["We add.", "A: 3"]
    wrong = {"id": "p1", "problem": "1 + 1?", "steps": steps, "generator": "g", "label": 1}
    right = wrong | {"id": "p2", "problem": "1 + 2?", "label": -1, "final_answer_correct": True}
    text = json.dumps([wrong, right, {"id": "p3"}], indent=2).encode()
    run = carried_out(stored(gzip.compress(text), file_format="processbench", target="bench"))
    assert (run.status, run.counts["golds"], run.counts["solutions"]) == ("done", 2, 2)
    assert run.errors[0][0] == text.decode().splitlines().index('    "id": "p3"')
    golds = {gold.solution.external_id: (gold.ratings, gold.gold_set) for gold in Gold.objects.all()}
    assert golds == {"p1": ([1, -1], "bench"), "p2": ([1, 1], "bench")}
    assert Solution.objects.in_pool().count() == 2
    again = carried_out(stored(text, file_format="processbench", target="bench"))
    assert (again.counts["duplicates"], again.counts["golds"], Gold.objects.count()) == (2, 0, 2)


def test_problems_of_processbench_are_in_the_test_split(stored):
    record = {"problem": "1?", "steps": ["A: 1"], "generator": "g", "label": -1, "final_answer_correct": True}
    carried_out(stored(json.dumps([record]).encode(), file_format="processbench"))
    assert Problem.objects.get().split == "test"


@pytest.mark.parametrize(
    ("fields", "code"),
    [({"file_format": "word"}, 400), ({"split": "dev"}, 400), ({"file": ""}, 400), ({"target": "x" * 101}, 400)],
)
def test_a_malformed_upload_is_refused(upload, fields, code):
    assert upload(b"{}", **fields).status_code == code


def test_an_empty_file_is_refused(upload):
    assert "empty" in upload(b"").json()["detail"]


def test_the_list_does_not_read_the_bad_lines(stored, admin_client, django_assert_num_queries):
    for _ in range(3):
        stored(b"{}")
    with django_assert_num_queries(3) as queries:
        assert len(admin_client.get("/api/imports/").json()["results"]) == 3
    assert not any('"errors"' in query["sql"] for query in queries)


def test_bad_lines_are_no_formulas_for_a_spreadsheet(admin_client):
    run = Import.objects.create(file="x", name="x", file_format="solutions", errors=[[3, "=1+1"]])
    answer = admin_client.get(f"/api/imports/{run.pk}/errors/")
    assert answer.getvalue().decode().splitlines() == ["line,reason", "3,'=1+1"]


def test_how_texts_are_shown_is_guessed_and_kept(stored):
    run = carried_out(stored(lines(solution(1)), statement_markup="plain"))
    assert (run.statement_markup, run.markup, run.is_markup_guessed) == ("plain", "mathematics", True)
    assert (Problem.objects.get().markup, Solution.objects.get().markup) == ("plain", "mathematics")


def test_how_texts_are_shown_may_be_chosen(upload, broker, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        body = upload(lines(solution(1)), markup="code", statement_markup="markdown").json()
    assert (body["markup"], body["statement_markup"], body["is_markup_guessed"]) == ("code", "markdown", False)
    run = carried_out(Import.objects.get(pk=body["id"]))
    assert (Solution.objects.get().markup, run.is_markup_guessed) == ("code", False)


def test_an_unknown_markup_is_refused(upload):
    response = upload(lines(solution(1)), markup="html")
    assert response.status_code == 400
    assert "markup" in response.json()["errors"]


def test_an_upload_is_inspected_and_stored_once_it_is_confirmed(upload, admin_client, admin, broker):
    body = upload(lines(solution(1) | {"observations": "x"}, b"{"), confirm="false", target="b").json()
    assert (body["status"], body["findings"], body["confirmed_at"]) == ("queued", None, None)
    assert [each["steps"] for each in body["preview"]["records"]] == [["We add.", "A: 2"]]
    run = carried_out(Import.objects.get(pk=body["id"]))
    assert (run.status, run.counts, Solution.objects.count()) == ("ready", {}, 0)
    found = admin_client.get(f"/api/imports/{run.pk}/").json()["findings"]
    assert (found["counts"]["solutions"], found["counts"]["errors"]) == (1, 1)
    assert [each["title"] for each in found["doubts"]] == ["“observations” is not imported"]
    assert not Change.objects.filter(act="import").exists()
    confirmed = admin_client.post(f"/api/imports/{run.pk}/confirm/").json()
    assert (confirmed["status"], confirmed["confirmed_at"] is None) == ("queued", False)
    run = carried_out(run)
    assert (run.status, run.counts["solutions"], run.findings["doubts"]) == ("done", 1, found["doubts"])
    assert Change.objects.get(act="import").by == admin
    refused = admin_client.post(f"/api/imports/{run.pk}/confirm/")
    assert (refused.status_code, refused.json()["code"]) == (409, "not_ready")


@pytest.mark.any_database
def test_a_format_is_guessed_and_can_be_changed_until_it_is_confirmed(upload, admin_client):
    body = upload(lines(LABELLED), file_format=[], confirm="false").json()
    assert (body["file_format"], body["preview"]["records"][0]["ratings"]) == ("processbench", [-1])
    run = carried_out(Import.objects.get(pk=body["id"]))
    changed = admin_client.patch(f"/api/imports/{run.pk}/", {"file_format": "solutions"}, format="json").json()
    assert (changed["status"], changed["findings"]) == ("queued", None)
    assert changed["preview"]["doubts"][0]["kind"] == "labels"
    assert admin_client.post(f"/api/imports/{run.pk}/confirm/").status_code == 409  # it is not inspected yet
    run = carried_out(run)
    named = admin_client.patch(f"/api/imports/{run.pk}/", {"target": "c"}, format="json").json()
    assert (named["status"], named["destination"]) == ("queued", "c")
    carried_out(run)
    admin_client.post(f"/api/imports/{run.pk}/confirm/")
    assert admin_client.patch(f"/api/imports/{run.pk}/", {"target": "d"}, format="json").status_code == 409


def test_another_source_shows_its_duplicates(stored, admin_client):
    carried_out(stored(lines(solution(1)), target="a"))
    run = carried_out(stored(lines(solution(1)), target="b", confirmed_at=None))
    assert [each["title"] for each in run.findings["doubts"]] == ["Texts that are also in “a”"]
    changed = admin_client.patch(f"/api/imports/{run.pk}/", {"target": "a"}, format="json").json()
    assert (changed["status"], changed["findings"]) == ("queued", None)
    run = carried_out(run)
    counts = run.findings["counts"]
    assert [each["title"] for each in run.findings["doubts"]] == ["Already in “a”"]
    assert (counts["draws"], counts["duplicates"]) == (0, 1)


@pytest.mark.parametrize(
    ("content", "file_format", "change"),
    [
        (solution(1), "solutions", {"benchmark": "MATH"}),
        (solution(1), "solutions", {"is_atomic": True}),
        (solution(1), "solutions", {"file_format": "solutions"}),
        ({"problem": "1 + 1?", "answer": "2"}, "problems", {"target": "another"}),
        (LABELLED, "processbench_labels", {"target": "another"}),
    ],
)
def test_changes_that_do_not_affect_the_findings_apply_at_once(stored, admin_client, content, file_format, change):
    run = carried_out(stored(lines(content), file_format=file_format, confirmed_at=None))
    changed = admin_client.patch(f"/api/imports/{run.pk}/", change, format="json").json()
    assert (changed["status"], changed["findings"] is None) == ("ready", False)


def test_a_change_stops_the_inspection_under_way(stored, admin_client):
    run = stored(lines(solution(1)), confirmed_at=None)

    def changed_midway(run, report):
        admin_client.patch(f"/api/imports/{run.pk}/", {"file_format": "gsm8k"}, format="json")
        return importing.import_file(run, report)

    lifecycle.carry_out(run.pk, changed_midway, worker="w")
    run.refresh_from_db()
    assert (run.status, run.file_format, run.findings) == ("queued", "gsm8k", {})


def test_a_file_without_records_fails_its_inspection_and_its_format_can_be_changed(stored, admin_client):
    run = fails(stored(lines(PRM800K), confirmed_at=None))
    assert len(run.errors) == 1
    assert admin_client.post(f"/api/imports/{run.pk}/confirm/").status_code == 409
    answer = admin_client.patch(f"/api/imports/{run.pk}/", {"file_format": "prm800k"}, format="json")
    assert answer.json()["status"] == "queued"


def test_a_file_of_another_kind_is_reported_at_once(upload):
    body = upload(b"PK\x03\x04" + b"x" * 100, name="a.zip", confirm="false").json()
    assert "ZIP" in body["preview"]["bad_lines"][0]["reason"]


def test_an_unconfirmed_upload_can_be_discarded_but_not_undone(stored, admin_client):
    run = carried_out(stored(lines(solution(1)), confirmed_at=None))
    assert admin_client.post(f"/api/imports/{run.pk}/undo/").status_code == 409
    assert admin_client.post(f"/api/runs/{run.pk}/cancel/").json()["status"] == "cancelled"
    assert admin_client.post(f"/api/runs/{run.pk}/retry/").json()["status"] == "queued"


def test_uploads_that_nobody_confirms_are_deleted(stored):
    old, confirmed, new = (
        stored(lines(solution(1)), **fields) for fields in ({"confirmed_at": None}, {}, {"confirmed_at": None})
    )
    week_ago = timezone.now() - importing.KEPT_UNCONFIRMED
    Run.objects.filter(pk__in=[old.pk, confirmed.pk]).update(created_at=week_ago)
    importing.forget_unconfirmed(now=timezone.now())
    assert {*Import.objects.values_list("pk", flat=True)} == {confirmed.pk, new.pk}
    assert (Path(old.file.path).exists(), Path(new.file.path).exists()) == (False, True)


def test_columns_are_mapped_and_a_generator_is_given(upload, admin_client):
    content = lines({"task": "1 + 1?", "steps": ["A: 2"], "observations": "x"})
    body = upload(content, confirm="false").json()
    named = {each["name"]: each["field"] for each in body["preview"]["columns"]}
    assert named == {"task": "", "steps": "steps", "observations": ""}
    assert body["preview"]["records"] == []
    change = {"columns": {"task": "problem"}, "generator": "toy"}
    changed = admin_client.patch(f"/api/imports/{body['id']}/", change, format="json").json()
    (shown,) = changed["preview"]["records"]
    assert (shown["problem"], shown["generator"]) == ("1 + 1?", "toy")
    run = carried_out(Import.objects.get(pk=body["id"]))
    assert (run.status, run.findings["counts"]["solutions"]) == ("ready", 1)
    refused = admin_client.patch(f"/api/imports/{run.pk}/", {"columns": {"task": "nonsense"}}, format="json")
    assert refused.status_code == 400
