"""/api/phases/{id}/arms/: whether the model's choice is better than chance, from the rows."""

import pytest

from labeling.models import Withdrawal
from prm_training.selection import arms, picking


@pytest.fixture
def model(make):
    return make.reward_model()


@pytest.fixture
def published(make, phase, model):
    """Publishes a round of 20 of 60 solutions, 5 of them drawn at random."""
    for number in range(60):
        make.score(model, make.solution(generator=["6B", "175B"][number % 2]), None, [-0.1, -0.01 * number, -0.2])
    settings = {"policy": "convincing", "size": 20, "random_share": 0.25, "wrong_share": 1.0, "status": "done"}
    selection = make.selection(phase=phase, reward_model=model, **settings)
    picking.select(selection, lambda **_: None)
    round_ = make.round(phase, [item.solution for item in selection.items.picked()])
    return make.publication(selection=selection, round=round_, status="done")


@pytest.fixture
def labelled(make, published, annotator):
    """Labels the round, a minute a task: random picks are right, the policy's have an error at the second step."""
    drawn = set(published.selection.items.filter(is_random=True).values_list("solution", flat=True))
    for task in published.round.tasks.all():
        ratings = (1, 1, 1) if task.solution_id in drawn else (1, -1)
        make.labelling(task, *ratings, annotator=annotator, active_ms=60_000)
    return published


def random_task(run):
    drawn = run.selection.items.filter(is_random=True).values("solution")
    return run.round.tasks.filter(solution__in=drawn).first()


def test_it_works(labelled, phase, ml_staff_client):
    found = ml_staff_client.get(f"/api/phases/{phase.pk}/arms/").json()
    (policy,) = found["policies"]
    assert (policy["policy"], policy["rounds"], policy["is_enough"]) == ("convincing", 1, False)
    assert (policy["picked"]["labellings"], policy["picked"]["steps"]) == (15, 30)
    assert (policy["random"]["labellings"], policy["random"]["steps"]) == (5, 15)
    gains = {name: each["value"] for name, each in policy["more"].items()}
    assert gains == {"labels_per_hour": pytest.approx(-60), "errors_per_hour": pytest.approx(60)}
    everything, *by_generator = found["generators"]
    assert (everything["generator"], everything["labellings"], everything["with_error"]["value"]) == (None, 5, 0)
    assert sum(each["labellings"] for each in by_generator) == 5
    assert {each["generator"] for each in by_generator} <= {"6B", "175B"}
    (person,) = found["annotators"]
    assert (person["annotator"], person["labellings"]) == ("ada", 5)
    assert person["labels_per_hour"]["value"] == pytest.approx(180)
    (measured,) = found["models"]
    assert (measured["steps"], measured["negative"], measured["auc"]) == (15, 0, None)
    assert (found["as_of"], found["is_counting"]) == (None, False)


def test_the_model_is_measured_on_the_random_arm(labelled, phase):
    task = random_task(labelled)
    task.labellings.get().completions.filter(step=2).update(rating=-1)
    (measured,) = arms.count_arms(phase.pk)["models"]
    assert (measured["steps"], measured["negative"]) == (15, 1)
    assert measured["auc"]["value"] is not None
    assert measured["place_alone"]["value"] > 0.8, "the only Bad step is a last one"


@pytest.mark.every_case
@pytest.mark.parametrize("change", ["task", "solution", "problem", "superseded", "gold"])
def test_withdrawn_superseded_and_gold_labellings_do_not_count(labelled, phase, admin, now, change):
    task = random_task(labelled)
    if withdrawn := {"task": task, "solution": task.solution, "problem": task.solution.problem}.get(change):
        Withdrawal.objects.create(**{change: withdrawn}, by=admin, why="Broken.", at=now)
    elif change == "superseded":
        task.labellings.update(superseded_at=now)
    else:
        labelled.round.tasks.filter(pk=task.pk).update(is_gold=True)
    assert arms.count_arms(phase.pk)["generators"][0]["labellings"] == 4


@pytest.mark.any_database
def test_tasks_added_by_hand_belong_to_no_arm(labelled, make, phase, annotator):
    before = arms.count_arms(phase.pk)
    added = make.task(phase, solution=make.solution())
    make.labelling(added, 1, 1, 1, annotator=annotator, active_ms=60_000)
    assert arms.count_arms(phase.pk) == before


@pytest.mark.any_database
def test_another_phases_rounds_are_not_counted(labelled, make):
    assert arms.count_arms(make.phase().pk)["policies"] == []


def test_a_phase_without_rounds_has_no_arms(phase, admin_client):
    found = admin_client.get(f"/api/phases/{phase.pk}/arms/").json()
    assert (found["policies"], found["annotators"], found["models"]) == ([], [], [])


def test_queries_grow_with_rounds_alone(labelled, phase, admin_client, django_assert_num_queries):
    with django_assert_num_queries(12):  # session, user, phase, size, phase, rounds; six of the round
        admin_client.get(f"/api/phases/{phase.pk}/arms/")


@pytest.mark.parametrize("who", ["annotator", "outsider"])
def test_annotators_are_refused(phase, who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).get(f"/api/phases/{phase.pk}/arms/"), 403, "permission_denied")


def test_signed_out_is_refused(phase, signed_out_client, refused):
    refused(signed_out_client.get(f"/api/phases/{phase.pk}/arms/"), 401, "not_authenticated")
