"""/api/phases/{id}/loop/: a phase's state, the step due next, and each round's results."""

from datetime import timedelta

import pytest
from django.utils import timezone

from labeling.campaign import rounds
from labeling.models import Case, Consensus, Labelling, Round, Sample, Solution
from prm_training.loop import rows as loop_rows
from prm_training.models import Autopilot, ScoringRun, TrainingRun
from tests.autopilots import metrics


@pytest.fixture
def address(phase):
    return f"/api/phases/{phase.pk}/loop/"


@pytest.fixture
def look(address, ml_staff_client):
    return lambda: ml_staff_client.get(address).json()


def states(body):
    return {part["name"]: part["state"] for part in body["parts"]}


@pytest.fixture
def learned(make, phase, now):
    """Makes a training run on the phase's labels, started at this hour, and its model."""

    def act(hour, *labellings, **columns):
        snapshot = make.snapshot()
        snapshot.labellings.set(labellings)
        run = make.training_run(phase=phase, status="done", snapshot=snapshot)
        TrainingRun.objects.filter(pk=run.pk).update(created_at=now + timedelta(hours=hour))
        return make.reward_model(training_run=run, **columns)

    return act


@pytest.fixture
def campaign(make, phase, learned, now):
    """Two rounds, one at random and one picked by the model that learned from it; and that model's successor."""
    labelled = []
    for number, wrong in enumerate((1, 3)):
        round_ = Round.objects.create(
            phase=phase, number=number, status="closed", opened_at=now + timedelta(hours=2 * number), closed_at=now
        )
        tasks = [make.task(phase, number, solution=make.solution(verdict="wrong")) for _ in range(wrong)]
        tasks += [make.task(phase, number, solution=make.solution(verdict="right")) for _ in range(4 - wrong)]
        make.task(phase, number, is_gold=True)
        labelled += [make.labelling(task, 1, 1) for task in tasks[: 4 - number]]
        summary = {"candidates": 8, "pool_wrong": 4, "mean_score": 0.9, "pool_mean_score": 0.5, "picked": 4}
        picked = make.selection(phase=phase, status="done", summary=summary if number else {})
        make.publication(selection=picked, round=round_, status="done")
    first = learned(1, *labelled[:4], name="first")
    second = learned(3, *labelled, name="second")
    for model in (first, second):
        make.promotion(model)
    make.evaluation_run(
        reward_model=first,
        status="done",
        metrics={
            "held_out": {"step_auc": 0.8, "f1": 0.6, "steps": 4, "steps_negative": 2},
            "problems": 1,
            "intervals": {"step_auc": [0.72, 0.88]},
            "differences": {"step_auc": {"value": 0.02, "low": -0.01, "high": 0.05}},
            "best_of_n": {
                "sizes": [1, 4],
                "curves": {
                    "prm": {"values": [0.5, 0.7], "intervals": [[0.4, 0.6], [0.6, 0.8]]},
                    "majority": {"values": [0.5, 0.6], "intervals": [[0.4, 0.6], [0.5, 0.7]]},
                },
                "problems": 80,
            },
        },
    )
    return first, second


def test_the_history(campaign, look):
    zero, one = look()["history"]
    assert (zero["number"], zero["labellings"], zero["wrong_share"], zero["mean_score"]) == (0, 4, 0.25, None)
    assert (zero["model"]["name"], zero["step_auc"], zero["f1"]) == ("first", 0.8, 0.6)
    assert (zero["step_auc_interval"], zero["f1_interval"]) == ([0.72, 0.88], None)
    assert zero["differences"] == {"step_auc": {"value": 0.02, "low": -0.01, "high": 0.05}}
    assert (zero["steps"], zero["problems"], zero["is_enough"]) == (4, 1, False)
    assert (zero["n"], zero["choices"], zero["best_of_n"], zero["best_of_n_interval"]) == (4, 80, 0.7, [0.6, 0.8])
    assert (zero["majority"], zero["majority_interval"]) == (0.6, [0.5, 0.7])
    assert (one["labellings"], one["wrong_share"], one["pool_wrong_share"]) == (3, 0.75, 0.5)
    assert (one["mean_score"], one["pool_mean_score"]) == (0.9, 0.5)
    assert (one["model"]["name"], one["step_auc"], one["best_of_n"]) == ("second", None, None)
    assert one["differences"] == {}


@pytest.mark.any_database
def test_a_gain_is_relative_to_the_predecessor_alone(make, campaign, look):
    """Not relative to another phase's model, or to a later current one."""
    first, second = campaign
    stranger = make.reward_model(phase=make.phase())

    def compared(model, baseline, value, **columns):
        differences = {"step_auc": {"value": value, "low": value - 0.1, "high": value + 0.1}}
        columns |= {"status": "done", "metrics": metrics(0.7, differences=differences)}
        make.evaluation_run(reward_model=model, baseline=baseline, **columns)

    def told():
        return [row["differences"].get("step_auc", {}).get("value") for row in look()["history"]]

    assert told() == [0.02, None]
    compared(second, stranger, 0.237)
    compared(second, None, 0.3)
    compared(first, second, 0.4)
    compared(second, first, 0.5, phase=stranger.phase)
    assert told() == [0.02, None]
    compared(second, first, -0.135)
    compared(second, stranger, 0.237)
    assert told() == [0.02, -0.135]
    assert [row["is_enough"] for row in look()["history"]] == [False, True]


@pytest.mark.any_database
def test_the_history_names_the_model_that_became_current(campaign, learned, look):
    learned(3.5, name="tried and left")
    assert look()["history"][1]["model"]["name"] == "second"


def test_an_outcome_model_is_neither_in_the_history_nor_a_candidate(campaign, learned, look):
    model = learned(3.5, name="orm")
    TrainingRun.objects.filter(reward_model=model).update(supervision="outcome")
    assert (look()["history"][1]["model"]["name"], look()["candidate"]) == ("second", None)


@pytest.mark.any_database
def test_another_phases_rows_change_nothing(make, phase, campaign, look):
    before = look()
    other = make.phase()
    make.labelling(make.task(other, solution=make.solution(in_pool=False)), 1, 1)
    make.training_run(phase=other, status="failed", error="Not ours.")
    make.evaluation_run(reward_model=make.reward_model(phase=other, is_current=True), status="failed")
    make.selection(phase=other, status="failed")
    make.publication(selection=make.selection(phase=other, status="done"), status="failed")
    assert look() == before


def test_from_nothing_to_the_first_labels(make, phase, annotator, ml_staff_client, look, broker, now):
    body = look()
    assert (body["due"]["act"], body["due"]["reason"][:14]) == (None, "Every solution")
    make.solutions(3)
    body = look()
    assert (body["due"], body["history"], body["round"]) == (
        {"act": "select", "who": "staff", "reason": ""},
        [],
        None,
    )
    chosen = make.picked(*make.solutions(1), phase=phase, summary={"picked": 1})
    assert (look()["due"]["act"], look()["selection"]) == ("publish", str(chosen.pk))
    opened = make.round(phase, 1)
    Round.objects.filter(pk=opened.pk).update(opened_at=timezone.now())
    body = look()
    assert (body["due"]["act"], body["due"]["who"], body["selection"]) == ("label", "annotators", None)
    (seat,) = opened.assignments.all()
    make.labelling(seat.task, 1, 1, 1, assignment=seat, annotator=annotator)
    opened.assignments.update(submitted_at=now)
    body = look()
    assert (body["due"]["act"], body["is_full"], body["labels_since_training"]) == ("close", True, 1)
    assert (body["round"]["labellings_done"], body["round"]["labellings_wanted"]) == (1, 1)
    rounds.close(round_id=opened.pk, now=now)
    assert look()["due"]["act"] == "train"


@pytest.mark.any_database
def test_labels_that_were_trained_on_are_not_counted_again(make, phase, campaign, look):
    assert look()["labels_since_training"] == 0
    make.labelling(make.task(phase, 1), 1, 1)
    make.labelling(make.task(phase, 1), 1, 1, finish_reason="give_up")
    assert look()["labels_since_training"] == 1


def test_a_ruling_is_a_label_that_no_training_has_read(make, phase, campaign, look):
    task = phase.rounds.get(number=1).tasks.filter(labellings__isnull=False).first()
    rated = {"ratings": [1, -1], "confidence": [1, 1], "labellings": 1}
    case = Case.objects.create(task=task, queue="disagreement", by=make.user())
    Consensus.objects.create(task=task, method="adjudicated", computed_at=timezone.now(), case=case, **rated)
    assert look()["labels_since_training"] == 1


def test_a_new_model_is_evaluated_then_promoted_on_enough_labels(make, campaign, learned, look):
    (_, current), new = campaign, learned(4, *Labelling.objects.all(), name="new")
    body = look()
    assert (body["due"]["act"], body["candidate"]["name"]) == ("evaluate", "new")
    run = make.evaluation_run(reward_model=new, baseline=current, status="running")
    assert look()["due"]["act"] is None
    assert [part["run"]["id"] for part in look()["parts"] if part["name"] == "train"] == [str(run.pk)]
    run.status, run.metrics, run.baseline_metrics = "done", metrics(0.9), metrics(0.8)
    run.save()
    assert look()["due"]["act"] == "promote"
    run.metrics = metrics(0.9, problems=2)
    run.save()
    body = look()
    assert (body["due"]["act"], body["obstacle"]) == ("score", "")
    assert body["shortage"].startswith("Not enough held-out labels: 800 steps of 2 problems, 90 Bad.")
    run.metrics = metrics(0.1)
    run.save()
    body = look()
    assert (body["due"]["act"], body["shortage"]) == ("score", "")
    assert "First-error F1" in body["obstacle"]


def test_a_model_that_was_rolled_back_is_not_offered_again(make, campaign, look):
    make.promotion(campaign[0])
    assert (look()["candidate"], look()["due"]["act"]) == (None, "score")


@pytest.mark.any_database
def test_solutions_with_scores_are_not_scored_again(make, campaign, look):
    _, current = campaign
    make.solution()
    assert look()["due"]["act"] == "score"
    for solution in Solution.objects.exclude(scores__reward_model=current):
        make.score(current, solution, -0.1)
    assert look()["due"]["act"] == "select"


def test_solutions_added_since_the_last_scoring_are_to_be_scored(make, phase, campaign, look):
    _, current = campaign
    make.solution()
    run = make.scoring_run(reward_model=current, status="done", started_at=timezone.now(), done=9)
    assert look()["due"]["act"] == "select"
    late = make.solution()
    assert look()["due"]["act"] == "score"
    phase.sources = ["own"]
    phase.save()
    Sample.objects.exclude(solution=late).update(source="own")
    assert look()["due"]["act"] == "select", "of another campaign"
    ScoringRun.objects.filter(pk=run.pk).update(phase=make.phase(), started_at=timezone.now())
    assert look()["due"]["act"] == "score", "of what another phase draws from"


@pytest.mark.any_database
def test_a_scoring_by_the_former_model_does_not_count(make, campaign, look):
    first, _ = campaign
    make.solution()
    make.scoring_run(reward_model=first, status="done", started_at=timezone.now(), done=9)
    body = look()
    assert [part["run"] for part in body["parts"] if part["name"] == "score"] == [None]
    assert (states(body)["score"], body["due"]["act"]) == ("due", "score")
    make.promotion(first)
    assert states(look())["score"] == "done"


def test_a_failed_run_is_shown_until_another_is_queued(make, phase, look):
    make.solutions(2)
    make.selection(phase=phase, status="failed", error="It broke.", finished_at=timezone.now())
    (part,) = [part for part in look()["parts"] if part["name"] == "select"]
    assert (part["state"], part["run"]["error"], look()["due"]["act"]) == ("failed", "It broke.", "select")
    make.selection(phase=phase, status="queued")
    assert states(look())["select"] == "running"


def test_a_failed_publication_is_forgotten_once_the_open_round_is_closed(make, phase, open_round, look):
    run = make.publication(selection=make.picked(make.solution(), phase=phase), status="failed", error="Still open.")
    run.finished_at = timezone.now()
    run.save()
    assert states(look())["publish"] == "failed"
    rounds.close(round_id=open_round.pk, now=timezone.now())
    assert states(look())["publish"] != "failed"


def test_a_publication_that_ends_during_a_look_is_seen(make, phase, look, monkeypatch):
    """Its round opens as the jobs are read: if rounds were read before, the next selection would seem due."""
    make.solutions(2)
    assert look()["due"]["act"] == "select"
    published = loop_rows.published

    def read_late(of_phase):
        Round.objects.get_or_create(phase=phase, number=0, defaults={"status": "open", "opened_at": timezone.now()})
        return published(of_phase)

    monkeypatch.setattr(loop_rows, "published", read_late)
    assert look()["round"]["number"] == 0


def test_an_autopilot_that_is_on_does_what_is_due_by_its_settings(make, phase, campaign, look):
    first, _ = campaign
    make.solution()
    Autopilot.objects.create(phase=phase, reward_model=first)
    assert (look()["due"]["who"], look()["selector"]["name"]) == ("ml_staff", "second")
    Autopilot.objects.update(status="on")
    body = look()
    assert (body["due"]["act"], body["due"]["who"], body["selector"]["name"]) == ("score", "autopilot", "first")
    Autopilot.objects.update(policy="uniform")
    assert (look()["due"]["act"], look()["selector"]) == ("select", None)


def test_queries_do_not_grow(make, phase, campaign, learned, address, admin_client, django_assert_num_queries, now):
    def more(number):
        Round.objects.create(phase=phase, number=number, status="closed", opened_at=now + timedelta(hours=2 * number))
        make.labelling(make.task(phase, number), 1, 1)
        make.evaluation_run(reward_model=learned(2 * number + 1), status="done")

    more(2)
    with django_assert_num_queries(24) as found:
        admin_client.get(address)
    more(3)
    with django_assert_num_queries(len(found)):
        assert len(admin_client.get(address).json()["history"]) == 4


@pytest.fixture
def expert(make, phase):
    """An expert in this phase."""
    person = make.user()
    phase.memberships.create(user=person, role="expert")
    return person


@pytest.mark.parametrize("who", ["annotator", "outsider", "expert"])
def test_others_are_refused(address, who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).get(address), 403, "permission_denied")


@pytest.mark.parametrize("who", ["admin", "ml_staff", "superuser"])
def test_all_staff_may_look(address, who, request, signed_in):
    assert signed_in(request.getfixturevalue(who)).get(address).status_code == 200


def test_signed_out_is_refused(address, signed_out_client):
    assert signed_out_client.get(address).json()["code"] == "not_authenticated"


def test_an_unknown_phase_is_not_found(open_round, ml_staff_client, refused):
    refused(ml_staff_client.get(f"/api/phases/{open_round.pk}/loop/"), 404, "not_found")
