"""/api/imports/{id}/undo/: deletes what an import alone added, unless it is in use."""

import json
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from labeling.data.importing.labels import PhaseInUse
from labeling.jobs import lifecycle
from labeling.models import (
    Case,
    Change,
    Consensus,
    Gold,
    Labelling,
    Membership,
    Phase,
    Problem,
    Round,
    Sample,
    Solution,
    Task,
    User,
)
from prm_training.models import Import, Score, SecondLook, SelectionItem
from prm_training.pool import importing

pytestmark = pytest.mark.django_db


def solution(number, **fields):
    text = {"problem": f"{number} + 1?", "reference_answer": str(number + 1), "generator": "g", "correct": True}
    return text | {"steps": ["We add.", f"A: {number + 1}"]} | fields


def labelled(number, **fields):
    completion = {"text": f"A: {number}", "rating": 1}
    label = {"steps": [{"completions": [completion], "chosen_completion": 0}], "finish_reason": "solution"}
    return {"labeler": "x", "question": {"problem": f"{number}?"}, "label": label, "generation": number} | fields


def judged(number):
    record = {"id": f"p{number}", "problem": f"{number} + 1?", "steps": ["We add.", f"A: {number + 1}"]}
    return record | {"generator": "g", "label": -1, "final_answer_correct": True}


@pytest.fixture(autouse=True)
def files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def carried_out(run, work=importing.import_file):
    lifecycle.carry_out(run.pk, work, worker="w")
    run.refresh_from_db()
    return run


@pytest.fixture
def imported():
    def make(*records, **fields):
        run = Import(name="new.jsonl", confirmed_at=timezone.now(), **{"file_format": "solutions"} | fields)
        run.file.save("new.jsonl", ContentFile("\n".join(map(json.dumps, records)).encode()))
        return carried_out(run)

    return make


@pytest.fixture
def door(admin_client):
    """Requests the undoing of a run or, by `get`, its preview."""

    def knock(run, method="post"):
        return getattr(admin_client, method)(f"/api/imports/{run.pk}/undo/")

    return knock


@pytest.fixture
def undone(door):
    def undo(run):
        answer = door(run)
        assert (answer.status_code, answer.json()["status"]) == (200, "queued"), answer.content
        run = carried_out(run)
        assert (run.status, run.error, run.undone_at is None) == ("done", "", False)
        return run

    return undo


def test_it_works(imported, door, undone, make, admin):
    other = make.solution()
    run = imported(solution(1), solution(2), solution(3, problem="1 + 1?"))
    brought = {"problems": 2, "solutions": 3, "draws": 3, "labellings": 0, "golds": 0}
    assert door(run, "get").json() == brought | {"reason": ""}
    run = undone(run)
    assert list(Solution.objects.all()) == [other]
    assert list(Problem.objects.all()) == [other.problem]
    assert (run.stage, run.done, run.total, run.counts["solutions"]) == ("undone", 8, 8, 3)
    line = Change.objects.get(act="undo")
    assert (line.by, line.subject, line.before) == (admin, str(run.pk), brought)


def test_it_is_enqueued(imported, door, broker, django_capture_on_commit_callbacks):
    run = imported(solution(1))
    with django_capture_on_commit_callbacks(execute=True):
        door(run)
    assert broker() == [("prm_training.run", "import", str(run.pk))]


def test_rows_of_an_earlier_import_stay(imported, undone):
    first, second = imported(solution(1)), imported(solution(1), solution(2), solution(3, problem="1 + 1?"))
    undone(second)
    assert set(Solution.objects.values_list("origin", flat=True)) == {first.pk}


def test_a_problem_with_solutions_of_others_becomes_theirs(imported, undone):
    first, second = imported(solution(1), solution(2)), imported(solution(1, steps=["A: 2"]))
    undone(first)
    assert Problem.objects.get().origin == Solution.objects.get().origin == second.pk
    undone(second)
    assert not Problem.objects.exists()


def test_the_same_file_can_be_imported_again(imported, undone):
    undone(imported(solution(1)))
    assert imported(solution(1)).counts["solutions"] == 1


def test_scores_are_deleted_too(imported, undone, make):
    run = imported(solution(1))
    make.score(make.reward_model(), Solution.objects.get(), -1)
    undone(run)
    assert not Score.objects.exists()


def test_labels_and_all_rows_made_for_them_are_deleted(imported, undone):
    undone(imported(labelled(1), labelled(2), labelled(3, is_quality_control_question=True), file_format="prm800k"))
    for model in (Labelling, Task, Solution, Problem, Round, Phase):
        assert not model.objects.exists()
    assert not User.objects.filter(username="labeler-x").exists()


def test_a_phase_and_people_that_others_use_stay(imported, undone):
    run, second = (imported(labelled(number), file_format="prm800k") for number in (1, 2))
    person = User.objects.get(username="labeler-x")
    undone(run)
    assert (Labelling.objects.get().origin, Round.objects.get().number) == (second.pk, 2)
    undone(second)
    assert (Phase.objects.count(), User.objects.filter(pk=person.pk).exists()) == (1, True)


def test_ml_staff_run_the_phase_that_they_imported(imported, ml_staff):
    run = imported(labelled(1), file_format="prm800k", owner=ml_staff)
    assert Phase.objects.run_by(ml_staff).get().origin == run.pk
    assert imported(labelled(2), file_format="prm800k", owner=ml_staff).status == "done"
    stranger = User.objects.create(username="stella", role="ml_staff")
    with pytest.raises(PhaseInUse, match="stella is not among the ML staff of"):
        imported(labelled(3), file_format="prm800k", owner=stranger)


def test_their_membership_is_deleted_with_the_phase(imported, undone, ml_staff):
    run = imported(labelled(1), file_format="prm800k", owner=ml_staff)
    undone(run)
    assert not Phase.objects.exists()


def test_a_phase_with_members_stays(imported, undone, make):
    run = imported(labelled(1), file_format="prm800k")
    Membership.objects.create(phase=Phase.objects.get(), user=make.user())
    undone(run)
    assert (Phase.objects.count(), Round.objects.count()) == (1, 0)


def test_gold_goes_and_older_gold_stays(imported, undone, make):
    imported(solution(1))
    old = make.gold(1, 1)
    run = imported(judged(1), judged(2), file_format="processbench")
    assert run.counts["golds"] == 2
    undone(run)
    assert list(Gold.objects.all()) == [old]
    assert Solution.objects.filter(origin__isnull=False).count() == 1


def held(run):
    """Returns an import's draws as texts, to compare before and after another's undoing."""
    rows = Sample.objects.filter(origin=run.pk).values_list("solution__steps", "source", "generator", "draw")
    return sorted(map(str, rows))


FILE = [solution(1, id="a"), solution(1, id="b"), solution(1, generator="h"), solution(2), solution(2)]


@pytest.mark.parametrize("source", ["one", "two"])
@pytest.mark.parametrize("size", [1, 2, 2000])
@pytest.mark.parametrize("is_first", [True, False])
def test_undoing_one_import_takes_nothing_from_the_other(imported, undone, monkeypatch, source, size, is_first):
    """Two imports of one file, under one source or two; either is undone."""
    monkeypatch.setattr("labeling.data.importing.undo.BATCH", size)
    first, second = imported(*FILE, target="one"), imported(*FILE, target=source)
    gone, stays = (first, second) if is_first else (second, first)
    before = held(stays)
    assert len(before) == 5
    undone(gone)
    assert held(stays) == before
    assert set(Sample.objects.values_list("origin", "repeat")) == {(stays.pk, 0)}
    assert set(Solution.objects.values_list("origin", "source", "in_pool")) == {(stays.pk, stays.target, True)}
    assert set(Problem.objects.values_list("origin", flat=True)) == {stays.pk}
    undone(stays)
    for model in (Sample, Solution, Problem):
        assert not model.objects.exists()


def test_tasks_of_another_campaign_do_not_prevent_it(imported, undone, door, make):
    first, second = imported(solution(1), target="one"), imported(solution(1), target="two")
    task = make.task(make.phase(sources=["two"]), solution=Solution.objects.get())
    assert door(first, "get").json()["solutions"] == 0
    undone(first)
    assert task.solution.samples.get().origin == second.pk


def test_a_text_known_from_labels_leaves_the_pool_again(imported, undone):
    imported(labelled(1), file_format="prm800k")
    run = imported(solution(1, problem="1?", steps=["A: 1"]))
    assert (run.counts["solutions"], run.counts["shared"], Solution.objects.get().in_pool) == (0, 1, True)
    undone(run)
    assert not Solution.objects.get().in_pool


# Refusals


def published(make, first, _):
    make.task(solution=first)
    return "1 task uses its solutions"


def published_and_labelled(make, first, _):
    make.labelling(make.task(solution=first), 1)
    return "1 task uses its solutions, 1 labelling by others is on its tasks"


def made_gold(make, first, _):
    make.gold(1, 1, solution=first)
    return "1 gold label by others is on its solutions"


def selected(make, first, _):
    SelectionItem.objects.create(selection=make.selection(), solution=first, rank=1)
    return "1 of its solutions is in a selection"


@pytest.mark.parametrize("use", [published, published_and_labelled, made_gold, selected])
def test_solutions_in_use_stay_and_it_says_why(imported, door, make, refused, use):
    run = imported(solution(1), solution(2))
    said = f"It is in use: {use(make, *Solution.objects.order_by('pk'))}."
    assert door(run, "get").json()["reason"] == said
    assert refused(door(run), 409, "in_use")["detail"] == said
    assert Solution.objects.filter(origin=run.pk).count() == 2
    run.refresh_from_db()
    assert (run.status, run.undo_requested_at) == ("done", None)


def in_a_snapshot(make, labelling):
    make.snapshot().labellings.add(labelling)
    return "1 of its labellings is in a snapshot"


def in_a_case(make, labelling):
    Case.objects.create(task=labelling.task, queue="unsure", by=make.user())
    return "1 case of adjudication is about its labellings"


def in_a_consensus(make, labelling):
    plain = {"ratings": [1], "confidence": [1], "labellings": 1, "computed_at": labelling.created_at}
    Consensus.objects.create(task=labelling.task, method="majority", **plain)
    return "1 consensus counts its labellings"


def labelled_again(make, labelling):
    make.labelling(labelling.task, 1)
    return "1 labelling by others is on its tasks"


def looked_at(make, labelling):
    plain = {"person": make.user(), "reward_model": make.reward_model(), "first_rating": 1, "rating": 1, "chance": 0.1}
    SecondLook.objects.create(labelling=labelling, step=0, **plain)
    return "1 second look was taken at its labels"


@pytest.mark.parametrize("use", [in_a_snapshot, in_a_case, in_a_consensus, labelled_again, looked_at])
def test_labels_in_use_stay_and_it_says_why(imported, door, make, refused, use):
    run = imported(labelled(1), labelled(2), file_format="prm800k")
    said = use(make, Labelling.objects.earliest("pk"))
    assert said in refused(door(run), 409, "in_use")["detail"]
    assert Labelling.objects.filter(origin=run.pk).count() == 2


def test_gold_that_is_served_stays(imported, door, make, refused):
    imported(solution(1))
    run = imported(judged(1), file_format="processbench")
    make.task(solution=Solution.objects.get(), is_gold=True)
    assert "1 task serves its gold" in refused(door(run), 409, "in_use")["detail"]


def test_rows_taken_into_use_meanwhile_stop_it(imported, door, make):
    run = imported(solution(1), solution(2))
    door(run)
    make.task(solution=Solution.objects.order_by("pk").first())
    with pytest.raises(Exception, match="1 task uses"):
        carried_out(run)
    run.refresh_from_db()
    assert (run.status, run.undone_at, Solution.objects.count()) == ("failed", None, 2)
    Task.objects.all().delete()
    assert lifecycle.retry(run)
    assert carried_out(run).undone_at is not None
    assert not Solution.objects.exists()


def test_rows_taken_into_use_between_two_batches_stop_it(imported, door, make, monkeypatch):
    monkeypatch.setattr("labeling.data.importing.undo.BATCH", 1)
    run = imported(solution(1), solution(2), solution(3))
    door(run)

    def disturbed(run, report):
        def heard(*, done=0, **columns):
            if done == 1:
                make.task(solution=Solution.objects.order_by("pk").last())
            report(done=done, **columns)

        importing.import_file(run, heard)

    with pytest.raises(Exception, match="1 task uses"):
        carried_out(run, disturbed)
    assert Solution.objects.count() == 1
    assert "1 task uses" in Import.objects.get().error


@pytest.mark.parametrize("status", ["queued", "running"])
def test_an_import_under_way_is_not_undone(imported, door, refused, status):
    run = imported(solution(1))
    Import.objects.update(status=status)
    refused(door(run), 409, "not_ready")


def test_it_is_undone_once(imported, undone, door, refused):
    run = undone(imported(solution(1)))
    refused(door(run), 409, "not_ready")
    assert not lifecycle.retry(run)


def test_a_cancelled_import_is_undone_and_its_file_goes(imported, undone):
    run = imported(solution(1))
    Import.objects.update(status="cancelled")
    run.file.save("again.jsonl", ContentFile(b"{}"))
    assert not Path(undone(run).file.path).exists()


def test_an_undo_that_is_cancelled_midway_resumes(imported, door, monkeypatch, admin_client):
    monkeypatch.setattr("labeling.data.importing.undo.BATCH", 2)
    run = imported(*map(solution, range(5)))
    door(run)

    def cancelled_midway(run, report):
        def heard(*, done=0, **columns):
            if done:
                admin_client.post(f"/api/runs/{run.pk}/cancel/")
            report(done=done, **columns)

        importing.import_file(run, heard)

    run = carried_out(run, cancelled_midway)
    assert (run.status, run.total, Sample.objects.count(), run.undone_at) == ("cancelled", 15, 3, None)
    assert admin_client.post(f"/api/runs/{run.pk}/retry/").json()["status"] == "queued"
    run = carried_out(run)
    assert (run.status, Solution.objects.count(), Problem.objects.count()) == ("done", 0, 0)


def test_the_first_hundred_bad_lines_are_there_to_read(imported, admin_client):
    run = imported(solution(1), *[{}] * 150)
    rows = admin_client.get(f"/api/imports/{run.pk}/bad-lines/").json()
    assert [row["line"] for row in rows] == list(range(2, 102))
    assert rows[0]["reason"] == "Object missing required field `problem`"
