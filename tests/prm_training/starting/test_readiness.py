"""prm_training.starting.readiness: refuses to start or retry runs that are known to fail, and leaves no row."""

import pytest
from django.utils import timezone

from labeling.campaign import rounds
from labeling.data.snapshots import NothingToFreeze
from labeling.jobs.lifecycle import NotReady
from prm_training.loop import autopilot
from prm_training.models import (
    Autopilot,
    Generation,
    Publication,
    ScoringRun,
    Selection,
    TrainingRun,
)
from prm_training.starting import acts, readiness


@pytest.fixture
def model(make):
    return make.reward_model()


def test_training_without_labels(phase, ml_staff_client, refused, broker):
    body = {"name": "x", "phase": str(phase.pk)}
    refused(ml_staff_client.post("/api/training-runs/", body), 400, "nothing_to_freeze")
    assert not TrainingRun.objects.exists()
    assert broker() == []


def test_training_on_held_out_labels_alone(make, phase, broker):
    make.labelling(make.task(phase, solution=make.solution(make.problem(split="test"))), 1, 1)
    with pytest.raises(NotReady, match="held-out"):
        acts.start_training(owner=None, name="x", phase=phase)


def test_an_outcome_model_without_graded_solutions(make, phase, broker):
    make.solution(verdict="unsure")
    with pytest.raises(NothingToFreeze, match="graded"):
        acts.start_training(owner=None, name="x", phase=phase, supervision="outcome")
    make.solution(verdict="right")
    assert acts.start_training(owner=None, name="x", phase=phase, supervision="outcome").status == "queued"


@pytest.mark.usefixtures("ready", "broker")
def test_the_same_training_twice(make, phase, ml_staff_client, refused):
    def start(**columns):
        return ml_staff_client.post("/api/training-runs/", {"name": "x", "phase": str(phase.pk)} | columns)

    first = start().json()["id"]
    assert "“x”" in refused(start(name="y"), 409, "under_way")["detail"]
    two = [str(phase.pk), str(make.phase().pk)]
    for differs in ({"settings": {"seed": 7}}, {"supervision": "outcome"}, {"phases": two}):
        make.solution(verdict="right")
        assert start(**differs).status_code == 201
    ml_staff_client.post(f"/api/runs/{first}/cancel/")
    assert start().status_code == 201
    refused(ml_staff_client.post(f"/api/runs/{first}/retry/"), 409, "under_way")


@pytest.mark.usefixtures("ready", "broker")
def test_a_training_beside_an_autopilots(make, phase):
    """Refused on any labels; another phase may train at the same time, even on the same labels."""
    acts.start_training(owner=None, name="x", phase=phase, is_automatic=True)
    other = make.phase()
    for phases in ([phase], [phase, other]):
        with pytest.raises(readiness.UnderWay):
            acts.start_training(owner=None, name="y", phase=phase, phases=phases, settings={"seed": 7})
    assert acts.start_training(owner=None, name="y", phase=other, phases=[phase])


@pytest.mark.parametrize("length", [101, 5000])
def test_a_name_that_is_too_long(ready, phase, ml_staff_client, refused, length):
    answer = ml_staff_client.post("/api/training-runs/", {"name": "x" * length, "phase": str(phase.pk)})
    assert "name" in refused(answer, 400, "invalid")["errors"]


def test_scoring_with_nothing_unscored(make, phase, model, ml_staff_client, refused, broker):
    solution = make.solution()
    make.score(model, solution, -1.0)
    body = {"reward_model": str(model.pk)}
    assert "already" in refused(ml_staff_client.post("/api/scoring-runs/", body), 409, "not_ready")["detail"]
    assert not ScoringRun.objects.exists()
    make.solution()
    assert ml_staff_client.post("/api/scoring-runs/", body).status_code == 201


def selection(phase, **columns):
    return {"phase": str(phase.pk), "policy": "uniform", "size": 5} | columns


def test_selecting_from_an_empty_pool(make, phase, ml_staff_client, refused, broker):
    make.round(phase, 2)  # the whole pool was published
    refused(ml_staff_client.post("/api/selections/", selection(phase)), 409, "not_ready")
    assert not Selection.objects.exists()


def test_selecting_from_a_source_that_the_phase_does_not_draw_from(make, phase, ml_staff_client, refused, broker):
    make.solution(source="another campaign")
    phase.sources = ["own"]
    phase.save()
    refused(ml_staff_client.post("/api/selections/", selection(phase)), 409, "not_ready")


def test_selecting_without_scores(make, phase, model, ml_staff_client, refused, broker):
    make.score(model, make.solution(), -1.0)
    unscored = make.solution()
    body = selection(phase, policy="convincing", reward_model=str(model.pk))
    assert "no score" in refused(ml_staff_client.post("/api/selections/", body), 409, "not_ready")["detail"]
    make.score(model, unscored, None)
    assert ml_staff_client.post("/api/selections/", body).status_code == 201


def test_selecting_where_all_texts_were_too_long_for_a_score(make, phase, model, broker):
    make.score(model, make.solution(), None)
    with pytest.raises(NotReady, match="No solution is left"):
        acts.start_selection(owner=None, phase=phase, policy="convincing", reward_model=model, size=1)


@pytest.mark.parametrize("status", ["closed", "archived"])
def test_a_phase_that_is_over(make, phase, refused, ml_staff_client, broker, status):
    picked = make.picked(make.solution(), phase=phase)
    type(phase).objects.update(status=status)
    refused(ml_staff_client.post("/api/selections/", selection(phase)), 409, "not_ready")
    refused(ml_staff_client.post("/api/publications/", {"selection": str(picked.pk)}), 409, "not_ready")


def test_publishing_while_a_round_is_open(make, phase, open_round, ml_staff_client, refused, broker, now):
    body = {"selection": str(make.picked(make.solution(), phase=phase).pk)}
    answer = refused(ml_staff_client.post("/api/publications/", body), 409, "round_still_open")
    assert "Round 0 of “Arithmetic” is still open" in answer["detail"]
    assert not Publication.objects.exists()
    rounds.close(round_id=open_round.pk, now=now)
    assert ml_staff_client.post("/api/publications/", body).status_code == 201


def test_publishing_an_empty_selection(make, phase, ml_staff_client, refused, broker):
    empty = make.picked(phase=phase)
    answer = ml_staff_client.post("/api/publications/", {"selection": str(empty.pk)})
    refused(answer, 400, "nothing_to_publish")


def test_publishing_a_discarded_selection(make, phase, ml_staff_client, refused, broker):
    gone = make.picked(make.solution(), phase=phase, discarded_at=timezone.now())
    refused(ml_staff_client.post("/api/publications/", {"selection": str(gone.pk)}), 409, "not_ready")


def test_publishing_a_published_selection(make, phase, ml_staff_client, refused, broker):
    out = make.picked(make.solution(), phase=phase)
    make.publication(selection=out, status="done")
    refused(ml_staff_client.post("/api/publications/", {"selection": str(out.pk)}), 409, "not_ready")


def test_publishing_two_rounds_of_a_phase_at_once(make, phase, ml_staff_client, refused, broker):
    first, second = ({"selection": str(make.picked(make.solution(), phase=phase).pk)} for _ in range(2))
    assert ml_staff_client.post("/api/publications/", first).status_code == 201
    refused(ml_staff_client.post("/api/publications/", second), 409, "not_ready")


def test_publishing_again_tries_a_failed_one_again(make, phase, ml_staff_client, broker):
    run = make.publication(selection=make.picked(make.solution(), phase=phase), status="failed", error="It died.")
    body = {"selection": str(run.selection_id), "overlap": 2}
    row = ml_staff_client.post("/api/publications/", body).json()
    assert (row["id"], row["status"], row["error"], row["overlap"]) == (str(run.pk), "queued", "", 2)


def test_trying_again_is_refused_for_the_same_reasons(make, phase, open_round, ml_staff_client, refused, broker):
    run = make.publication(selection=make.picked(make.solution(), phase=phase), status="failed", error="It was open.")
    refused(ml_staff_client.post(f"/api/runs/{run.pk}/retry/"), 409, "round_still_open")
    run.refresh_from_db()
    assert (run.status, run.error) == ("failed", "It was open.")


def test_generating_without_problems(db, ml_staff_client, refused, generator, broker):
    body = {"name": "x", "generator_url": generator.url, "generator_model": "prover", "problem_source": "none"}
    refused(ml_staff_client.post("/api/generations/", body), 409, "not_ready")
    assert not Generation.objects.exists()


def test_autopilot_is_not_switched_on_without_a_pool(phase, ml_staff_client, refused, broker):
    refused(ml_staff_client.post(f"/api/autopilots/{phase.pk}/on/"), 409, "not_ready")
    assert not Autopilot.objects.exists()


def test_autopilot_stops_where_scores_are_missing(make, phase, model, ml_staff, broker, now):
    make.promotion(model)
    make.solution()
    autopilot.switch_on(phase=phase, by=ml_staff, now=now)
    ScoringRun.objects.update(status="done", started_at=timezone.now())
    autopilot.advance_all(now=now)
    phase.autopilot.refresh_from_db()
    assert phase.autopilot.status == "stopped"
    assert "no score" in phase.autopilot.reason
