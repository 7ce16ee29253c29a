"""/api/{problems,solutions,tasks}/{id}/withdrawal/: removes bad data from everything, closed rounds included, and can
be undone exactly.
"""

import io
import zipfile

import pytest
from django.utils import timezone

from annotate import allocation, submission
from labeling.campaign import consensus, gold, rounds
from labeling.counts import recounts
from labeling.data import snapshots
from labeling.data.exporting import LabelFilter, standing
from labeling.data.exporting.choosing import INCLUDABLE
from labeling.errors import DomainError
from labeling.models import Assignment, Change, Gold, Labelling, Queue, Solution, Task, Withdrawal
from labeling.review import adjudication, cases, corrections
from labeling.review.adjudication import Ruling
from prm_training.reward_models import second_looks

WHY = {"why": "The statement contradicts itself."}
OF = ("task", "solution", "problem")


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def task(make, phase, annotator, second_annotator):
    """A task of a closed round, labelled by two people who differ, beside another with one labelling."""
    found = make.task(phase, overlap=2)
    make.labelling(found, 1, -1, annotator=annotator)
    make.labelling(found, 1, 1, 1, annotator=second_annotator)
    make.labelling(make.task(phase), 1, 1, 1, annotator=annotator)
    return found


def address(of, task):
    row = {"task": task, "solution": task.solution, "problem": task.solution.problem}[of]
    return f"/api/{of}s/{row.pk}/withdrawal/"


def seats():
    return sorted(Assignment.objects.values_list("task", "round", "seat", "position", "annotator", "submitted_at"))


def served(phase, annotator, now):
    try:
        return allocation.claim_next(phase=phase, annotator=annotator, now=now).task_id
    except DomainError as error:
        return error.code


def counters(round_):
    round_.refresh_from_db()
    kept = round_.task_count, round_.seat_count
    recounts.mend(round_.pk)
    round_.refresh_from_db()
    assert kept == (round_.task_count, round_.seat_count)
    return kept


# Labels


@pytest.mark.any_database
@pytest.mark.parametrize("of", OF)
@pytest.mark.parametrize("chosen", [{}, {"include": INCLUDABLE}, {"consensus": "majority"}])
def test_its_labels_leave_previews_snapshots_and_exports_and_come_back(task, of, chosen, admin_client):
    label_filter = LabelFilter(**chosen)

    def held():
        preview = snapshots.preview_snapshot(label_filter)
        frozen = snapshots.freeze(label_filter)
        assert frozen.counts["labels"] == preview["labels"]
        exported = list(standing.stream(label_filter))
        assert len(exported) == preview["labellings"] + preview["rulings"] + preview["consensuses"]
        return preview

    before = held()
    assert before["left_out"]["withdrawn"] == 0
    assert before["labels"] == (4 if "consensus" in chosen else 8)  # two people agree on the first step alone
    assert admin_client.post(address(of, task), WHY).status_code == 204
    withdrawn = held()
    assert (withdrawn["labels"], withdrawn["labellings"], withdrawn["consensuses"]) == (3, 1, 0)
    assert withdrawn["left_out"]["withdrawn"] == 2
    assert Labelling.objects.count() == 3
    assert admin_client.delete(address(of, task)).status_code == 204
    assert held() == before


@pytest.mark.any_database
@pytest.mark.parametrize("of", OF)
def test_a_ruling_leaves_as_well(task, of, admin, admin_client):
    ruling = Ruling("ratings", ratings=[1, 0, -1])
    adjudication.settle(task=task, queue=Queue.DISAGREEMENT, ruling=ruling, now=timezone.now(), by=admin)
    assert {row.method for row in standing.stream(LabelFilter())} == {"", "adjudicated"}
    admin_client.post(address(of, task), WHY)
    assert [row.method for row in standing.stream(LabelFilter())] == [""]
    assert standing.people(LabelFilter()) == {"ada": 1}
    admin_client.delete(address(of, task))
    assert {row.method for row in standing.stream(LabelFilter())} == {"", "adjudicated"}


@pytest.mark.any_database
def test_another_task_of_the_solution_stays_if_one_task_is_withdrawn(task, make, admin_client):
    make.labelling(make.task(solution=task.solution), -1)
    admin_client.post(address("task", task), WHY)
    assert snapshots.preview_snapshot()["labels"] == 4
    admin_client.delete(address("task", task))
    admin_client.post(address("solution", task), WHY)
    assert snapshots.preview_snapshot()["labels"] == 3


@pytest.mark.any_database
def test_exports_leave_it_out(task, admin_client):
    def lines():
        archive = zipfile.ZipFile(io.BytesIO(b"".join(admin_client.get("/api/exports/?file_format=trl"))))
        return archive.read("labels.jsonl").count(b"\n")

    assert lines() == 3
    admin_client.post(address("problem", task), WHY)
    assert lines() == 1


def test_earlier_versions_of_a_problem_go_with_it(task, admin, admin_client):
    old = task.solution.problem
    new = corrections.fix(problem=old, texts={"statement": "What is 9 + 9?"}, grades={}, now=timezone.now(), by=admin)
    at = f"/api/problems/{new.pk}/withdrawal/"
    assert admin_client.get(at).json()["labellings"] == 2
    admin_client.post(at, WHY)
    assert snapshots.preview_snapshot()["labels"] == 3
    admin_client.delete(at)
    assert (snapshots.preview_snapshot()["labels"], Withdrawal.objects.count()) == (8, 0)


def test_a_version_made_later_is_not_withdrawn(task, admin, admin_client):
    admin_client.post(address("problem", task), WHY)
    old = task.solution.problem
    texts = {"statement": "What is 9 + 9?"}
    grades = corrections.regraded(old, texts)
    corrections.fix(problem=old, texts=texts, grades=grades, now=timezone.now(), by=admin)
    assert Solution.objects.in_pool().filter(problem__version=2).count() == 1
    assert snapshots.preview_snapshot()["labels"] == 3


# The pool, and selections from it


@pytest.mark.parametrize("of", ["solution", "problem"])
def test_it_leaves_the_pool(make, of, admin_client):
    task = make.task()
    admin_client.post(address(of, task), WHY)
    assert not Solution.objects.in_pool().exists()
    assert admin_client.get("/api/pool/solutions/").json()["results"], "staff still find it"
    admin_client.delete(address(of, task))
    assert Solution.objects.in_pool().get() == task.solution


@pytest.mark.parametrize("of", ["solution", "problem"])
def test_its_gold_is_used_neither_hidden_nor_in_screening(make, phase, of, now, admin_client, refused):
    task = make.task()
    make.gold(1, 1, 1, solution=task.solution)
    admin_client.post(address(of, task), WHY)
    assert not gold.drawn(phase=phase, gold_set="gold").exists()
    with pytest.raises(rounds.NothingToPublish):
        rounds.screen_by(phase=phase, gold_set="gold", size=1, now=now)
    with pytest.raises(DomainError, match="Withdrawn, of the solutions that were chosen: 1 of 1"):
        rounds.publish_screening(phase=phase, solution_ids=[task.solution_id], now=now)
    admin_client.delete(address(of, task))
    assert gold.drawn(phase=phase, gold_set="gold").count() == 1


@pytest.mark.parametrize("of", OF)
def test_its_cases_leave_the_queue(task, of, admin_client):
    assert cases.waiting(Queue.DISAGREEMENT, Task.objects.all()).get() == task
    admin_client.post(address(of, task), WHY)
    assert not cases.waiting(Queue.DISAGREEMENT, Task.objects.all()).exists()


@pytest.mark.parametrize("of", OF)
def test_it_gets_no_second_look(task, make, phase, of, admin_client):
    model = make.reward_model()
    make.score(model, task.solution, -0.1)
    model.scores.update(step_log_probabilities=[-0.1, -0.1, -3.0])
    assert second_looks.labels({phase.pk: model}).count() == 5
    admin_client.post(address(of, task), WHY)
    assert second_looks.labels({phase.pk: model}).count() == 0


# Open rounds


@pytest.mark.parametrize("of", OF)
def test_its_free_seats_go_and_come_back_as_they_were(make, phase, annotator, of, admin_client):
    round_ = make.round(phase, 2, overlap=2)
    first = round_.tasks.order_by("rank").first()
    before, numbers, now = seats(), counters(round_), timezone.now()
    admin_client.post(address(of, first), WHY)
    assert not Assignment.objects.filter(task=first).exists()
    assert counters(round_) == (2, 2)
    assert served(phase, annotator, now) != first.pk
    Assignment.objects.update(annotator=None, lease_expires_at=None, leased_at=None)
    admin_client.delete(address(of, first))
    assert (seats(), counters(round_)) == (before, numbers)
    assert served(phase, annotator, now) == first.pk


@pytest.mark.any_database
def test_a_task_in_hand_is_finished_kept_and_does_not_count(make, phase, annotator, all_great, admin_client):
    round_ = make.round(phase, 2)
    now = timezone.now()
    held = allocation.claim_next(phase=phase, annotator=annotator, now=now)
    admin_client.post(address("solution", held.task), WHY)
    submission.submit(assignment_id=held.pk, annotator=annotator, submission=all_great, now=now)
    assert Labelling.objects.get().task == held.task
    assert standing.count_labels(LabelFilter())[0].as_json()["labels"] == 0
    assert standing.left_out(LabelFilter())["withdrawn"] == 1
    counters(round_)
    admin_client.delete(address("solution", held.task))
    assert standing.count_labels(LabelFilter())[0].as_json()["labels"] == 3


@pytest.mark.parametrize("of", ["solution", "problem"])
def test_withdrawn_solutions_selected_earlier_are_not_served(make, phase, of, now, annotator, admin_client):
    task, other = make.task(), make.solution()
    admin_client.post(address(of, task), WHY)
    round_ = make.round(phase, [task.solution, other])
    assert [seat.task.solution for seat in round_.assignments.all()] == [other]
    assert counters(round_) == (2, 1)
    with pytest.raises(DomainError, match="Withdrawn, of the solutions that were chosen: 1 of 1"):
        rounds.add_tasks(
            round_id=make.round(make.phase(), 1).pk, solution_ids=[task.solution_id], overlap=1, first=True
        )
    admin_client.delete(address(of, task))
    assert counters(round_) == (2, 2)


def test_a_withdrawn_disputed_task_gets_no_further_seat(make, annotator, second_annotator, now, admin_client):
    phase = make.phase(annotator, second_annotator, overlap_cap=3)
    round_ = make.round(phase, 1, overlap=2)
    task = round_.tasks.get()
    round_.assignments.update(submitted_at=now)
    make.labelling(task, 1, -1, annotator=annotator)
    make.labelling(task, 1, 1, 1, annotator=second_annotator)
    admin_client.post(address("problem", task), WHY)
    assert consensus.ask_again(round_=round_) == 0
    admin_client.delete(address("problem", task))
    assert consensus.ask_again(round_=round_) == 1


def test_hidden_gold_is_shown_to_nobody_new(make, annotator, now, admin_client):
    make.gold(1, 1, 1, solution=make.solution())
    phase = make.phase(annotator, gold_set="gold", gold_rate=1.0)
    round_ = make.round(phase, 3)
    hidden = round_.tasks.get(is_gold=True)
    admin_client.post(address("problem", hidden), WHY)
    held = allocation.claim_next(phase=phase, annotator=annotator, now=timezone.now())
    assert held.task != hidden
    assert Gold.objects.count() == 1


def test_tasks_withdrawn_from_a_round_before_stay_so(make, phase, admin_client):
    round_ = make.round(phase, 2)
    task = round_.tasks.first()
    rounds.withdraw_from_round(round_id=round_.pk, task_ids=[task.pk], now=timezone.now())
    before = seats()
    admin_client.post(address("problem", task), WHY)
    admin_client.delete(address("problem", task))
    task.refresh_from_db()
    assert task.withdrawn_at is not None
    assert (seats(), counters(round_)) == (before, (2, 1))


# The door


def test_a_preview_counts_the_rows_concerned(task, make, admin_client, ml_staff_client):
    snapshot = snapshots.freeze()
    run = make.reward_model(name="spring").training_run
    run.snapshot = snapshot
    run.save()
    make.gold(1, 1, 1, solution=task.solution)
    expected = {"labellings": 2, "labels": 5, "golds": 1, "tasks": 1, "snapshots": 1, "models": ["spring"]}
    assert ml_staff_client.get(address("problem", task)).json() == {**expected, "withdrawn": []}
    assert ml_staff_client.get(address("task", task)).json() == {**expected, "golds": 0, "withdrawn": []}
    admin_client.post(address("problem", task), WHY)
    (said,) = ml_staff_client.get(address("solution", task)).json()["withdrawn"]
    assert (said["of"], said["by"], said["why"]) == ("problem", "alma", WHY["why"])


def test_the_audit_log_says_who_withdrew_and_why(task, admin, admin_client):
    admin_client.post(address("solution", task), WHY)
    admin_client.delete(address("solution", task))
    done, undone = Change.objects.filter(kind="solution").order_by("at", "pk")
    assert (done.act, done.by, done.after["why"], done.after["labels"]) == ("withdraw", admin, WHY["why"], 5)
    assert (undone.act, undone.before["why"]) == ("undo withdrawal", WHY["why"])


@pytest.mark.parametrize("body", [{}, {"why": ""}, {"why": "  "}, {"why": "x" * 2001}])
def test_it_needs_a_reason(task, body, admin_client, refused):
    refused(admin_client.post(address("solution", task), body), 400, "invalid")
    assert not Withdrawal.objects.exists()


@pytest.mark.parametrize("of", OF)
def test_withdrawing_twice_is_refused(task, of, admin_client, refused):
    admin_client.post(address("problem", task), WHY)
    refused(admin_client.post(address(of, task), WHY), 409, "cannot_withdraw")


@pytest.mark.parametrize("of", OF)
def test_undoing_without_a_withdrawal_is_refused(task, of, admin_client, refused):
    refused(admin_client.delete(address(of, task)), 409, "cannot_undo_withdrawal")


def test_the_widest_withdrawal_must_be_undone_first(make, phase, admin_client, refused):
    round_ = make.round(phase, 1)
    task, before = round_.tasks.get(), seats()
    for of in OF:
        assert admin_client.post(address(of, task), WHY).status_code == 204
    said = admin_client.get(address("task", task)).json()["withdrawn"]
    assert [each["of"] for each in said] == list(OF)
    for of in OF[:2]:
        refused(admin_client.delete(address(of, task)), 409, "cannot_undo_withdrawal")
    for of in reversed(OF):
        assert seats() == []
        assert admin_client.delete(address(of, task)).status_code == 204
    assert seats() == before


@pytest.mark.parametrize("of", OF)
@pytest.mark.parametrize("who", ["ml_staff_client", "annotator_client", "outsider_client"])
def test_others_are_refused(task, of, who, request, refused):
    client = request.getfixturevalue(who)
    refused(client.post(address(of, task), WHY), 403, "permission_denied")
    refused(client.delete(address(of, task)), 403, "permission_denied")
