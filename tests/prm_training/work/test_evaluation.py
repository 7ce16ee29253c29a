"""Evaluations through torch, by the labels and verdicts of their phase."""

import pytest
from django.utils import timezone

from labeling.models import Case, Consensus, Round
from prm_training.models import EvaluationRun
from prm_training.reward_models import promotion
from prm_training.starting import acts
from prm_training.work import evaluation, training

HELD_OUT, LEARNED = 60, 24


@pytest.fixture
def label(make):
    """Labels one step of a new problem, rightly or wrongly."""

    def act(phase, *, split="test", is_right=True, is_flipped=False, number=0):
        rating = 1 if is_right != is_flipped else -1
        task = make.task(phase, number, solution=make.solution(make.problem(split=split)))
        labelling = make.labelling(task, rating)
        labelling.completions.update(text="This step is fine." if is_right else "Nonsense and rubbish here!")
        return labelling

    return act


@pytest.fixture
def learn(make, base, carry_out):
    """Makes a model trained on the phases' labels, and evaluated."""

    def act(phase, *phases, name="prm", **settings):
        own = {"epochs": 2, "seed": 1, "learning_rate": 0.02} | settings
        run = make.training_run(phase=phase, base=base, name=name, settings=own)
        run.phases.set([phase, *phases])
        return carry_out(run, training.train).reward_model

    return act


@pytest.fixture
def evaluate(carry_out):
    """Carries out the queued evaluation in the phase."""

    def act(model):
        return carry_out(EvaluationRun.objects.get(reward_model=model, status="queued"), evaluation.evaluate)

    return act


@pytest.mark.any_database  # about metrics; the tests below and the loop's use the same queries
def test_the_history_shows_a_fall_as_a_fall(make, phase, label, learn, evaluate, ml_staff, ml_staff_client):
    """The second model learns from more labels, most of them wrong; so are some of those held out."""
    for number in range(HELD_OUT):
        label(phase, is_right=number % 2 == 0, is_flipped=number % 10 == 0)
    for number in range(LEARNED):
        label(phase, split="train", is_right=number % 2 == 0)
    good = learn(phase, name="good")
    evaluate(good)
    for number in range(2 * LEARNED):
        label(phase, split="train", is_right=number % 2 == 0, is_flipped=True, number=1)
    Round.objects.filter(number=1).update(opened_at=timezone.now())
    worse = learn(phase, name="worse")
    run = evaluate(worse)
    assert (run.baseline, run.metrics["problems"]) == (good, HELD_OUT)

    def look():
        return ml_staff_client.get(f"/api/phases/{phase.pk}/loop/").json()

    seen = look()
    first, second = seen["history"]
    assert (first["model"]["name"], first["differences"]) == ("good", {})
    assert (second["model"]["name"], second["is_enough"]) == ("worse", True)
    assert first["step_auc"] > 0.8 > second["step_auc"]
    fall = second["differences"]["step_auc"]
    assert fall["value"] == pytest.approx(second["step_auc"] - first["step_auc"])
    assert fall["low"] < fall["value"] < fall["high"] < 0
    assert (seen["current"]["name"], seen["candidate"]["name"]) == ("good", "worse")
    assert "a fall of" in seen["obstacle"]
    with pytest.raises(promotion.HeldBack):
        promotion.promote(reward_model=worse, phase=phase, by=ml_staff, at=timezone.now())
    promotion.promote(
        reward_model=worse, phase=phase, by=ml_staff, at=timezone.now(), is_override=True, reason="To look."
    )
    assert look()["history"] == seen["history"], "promoted all the same, it fell by as much"


def test_a_phase_judges_by_its_own_labels(make, phase, label, learn, evaluate, carry_out, ml_staff):
    """Trained on two phases, it is evaluated in each on that phase's held-out labels."""
    other = make.phase(name="Other")
    own = [label(phase) for _ in range(3)]
    elsewhere = [label(other) for _ in range(5)]
    for each in (phase, other):
        label(each, split="train")
    for labelling in (own[0], elsewhere[0]):
        case = Case.objects.create(task=labelling.task, queue="unsure", by=ml_staff)
        ruling = {"ratings": [-1], "confidence": [1.0], "labellings": 1, "computed_at": timezone.now()}
        Consensus.objects.create(task=labelling.task, method="adjudicated", case=case, **ruling)
    model = learn(phase, other)
    assert model.training_run.snapshot.counts["split"] == {"train": 2, "test": 8}
    found = evaluate(model).metrics
    assert (found["problems"], found["held_out"]["steps"], found["held_out"]["steps_negative"]) == (3, 3, 1)
    snapshot = model.training_run.snapshot
    there = acts.start_evaluation(owner=ml_staff, reward_model=model, phase=other, snapshot=snapshot)
    assert carry_out(there, evaluation.evaluate).metrics["problems"] == 5


def test_a_phase_judges_by_its_own_verdicts(make, base, evaluate, carry_out):
    """An outcome model that has learned from two phases' sources is evaluated on one's."""
    phases = [make.phase(name=name, sources=[name]) for name in ("gsm8k", "demo")]
    for source, split, number in (("gsm8k", "test", 2), ("demo", "test", 3), ("demo", "train", 2)):
        for _ in range(number):
            make.solution(make.problem(split=split), source=source, verdict="right")
    run = make.training_run(phase=phases[0], base=base, supervision="outcome", settings={"epochs": 1})
    run.phases.set(phases)
    model = carry_out(run, training.train).reward_model
    assert evaluate(model).metrics["problems"] == 2


@pytest.mark.any_database
def test_without_held_out_labels_nothing_is_decided(make, phase, label, learn, evaluate):
    """Another phase's held-out labels don't count."""
    other = make.phase(name="Other")
    label(phase, split="train")
    label(other, split="test")
    first, second = learn(phase, other), learn(phase, other, seed=2)
    evaluate(first)
    run = evaluate(second)
    assert (run.metrics["problems"], run.metrics["held_out"]["steps"]) == (0, 0)
    gate = promotion.gate(second, phase=phase, current=first)
    assert (gate.obstacle, gate.shortage.split(":")[0]) == ("", "Not enough held-out labels")
