"""/api/second-looks/ and /api/label-noise/: blind second looks at labels that surprise the current model."""

import math
import random
from datetime import timedelta

import pytest

from labeling.data.exporting import LabelFilter, standing
from prm_training.models import SecondLook
from prm_training.reward_models.second_looks import Band, is_likely_ones_turn, noise


@pytest.fixture
def model(make):
    return make.reward_model(is_current=True)


def scored(make, model, task, *chances):
    """Stores the model's scores of the task: each step's probability of being right."""
    score = make.score(model, task.solution, -3.0)
    score.step_log_probabilities = [math.log(chance) for chance in chances]
    score.save()
    return task


@pytest.fixture
def task(make, phase, model, annotator):
    """A solution labelled Great, Great, Bad; the model doubts the second and the last label."""
    task = scored(make, model, make.task(phase), 0.9, 0.01, 0.8)
    make.labelling(task, 1, 1, -1, annotator=annotator)
    return task


@pytest.fixture
def get(admin_client, task):
    return lambda round_=None: admin_client.get(f"/api/second-looks/?round={round_ or task.round_id}")


def test_it_works(get, admin_client, admin, task, model):
    label = get().json()["look_at"]
    assert label["step"] == 1, "P(label) is 0.01"
    assert label["steps"] == task.solution.steps[:2]
    assert label["problem_statement"] == task.solution.problem.statement
    given = admin_client.post(
        "/api/second-looks/", {"labelling": label["labelling"], "step": label["step"], "rating": -1}
    )
    assert given.status_code == 200, given.json()
    told = given.json()
    assert (told["first_rating"], told["rating"], told["is_changed"]) == (1, -1, True)
    assert told["chance"] == pytest.approx(0.01)
    look = SecondLook.objects.get()
    assert (look.person, look.reward_model) == (admin, model)
    assert told["task"] == str(task.pk)
    assert get().json()["look_at"]["step"] == 2


def test_one_that_disagrees_leads_to_a_ruling(get, admin_client, admin, task):
    """The ruling is what models train on; the measured noise stays that of the original labels."""
    label = get().json()["look_at"]
    body = {"labelling": label["labelling"], "step": label["step"]}
    told = admin_client.post("/api/second-looks/", {**body, "rating": -1}).json()
    (waits,) = admin_client.get("/api/adjudication/second_look/").json()["results"]
    assert (waits["id"], waits["note"]) == (told["task"], "Step 2 was labelled Great; a second look says Bad.")
    ruled = admin_client.post(
        f"/api/adjudication/second_look/{told['task']}/", {"outcome": "ratings", "ratings": [1, -1]}
    )
    assert ruled.json()["is_waiting"] is False
    (stands,) = standing.stream(LabelFilter())
    assert (stands.method, [item.rating for item in stands.completions]) == ("adjudicated", [1, -1])
    assert admin_client.get("/api/label-noise/").json()[0]["changed"] == 1


def test_one_that_agrees_leads_to_none(get, admin_client):
    label = get().json()["look_at"]
    admin_client.post("/api/second-looks/", {"labelling": label["labelling"], "step": label["step"], "rating": 0})
    assert admin_client.get("/api/adjudication/second_look/").json()["results"] == []


def test_nothing_tells_the_label_before_the_second_look(get):
    label = get().json()["look_at"]
    shown = {"problem_statement", "statement_markup", "reference_answer", "steps", "markup", "turns", "conversation"}
    assert set(label) == {"labelling", "solution", "step"} | shown


def test_a_trace_is_shown_in_its_parts_up_to_the_one_to_rate(get, task):
    task.solution.turns = [{"parts": [{"kind": "text", "text": text}]} for text in "abc"]
    task.solution.save()
    shown = get().json()["look_at"]["turns"]
    assert [turn["parts"][0]["text"] for turn in shown] == ["a", "b"]


def test_great_and_okay_are_both_right(get, admin_client):
    label = get().json()["look_at"]
    body = {"labelling": label["labelling"], "step": label["step"], "rating": 0}
    assert admin_client.post("/api/second-looks/", body).json()["is_changed"] is False


def test_a_label_is_looked_at_once(get, admin_client, refused):
    label = get().json()["look_at"]
    body = {"labelling": label["labelling"], "step": label["step"], "rating": 1}
    admin_client.post("/api/second-looks/", body)
    refused(admin_client.post("/api/second-looks/", body), 409, "conflict")


def test_nobody_looks_at_their_own(make, task, annotator, signed_in, refused):
    task.round.phase.memberships.filter(user=annotator).update(role="expert")
    own = signed_in(annotator)
    assert own.get(f"/api/second-looks/?round={task.round_id}").json()["look_at"] is None
    body = {"labelling": str(task.labellings.get().pk), "step": 0, "rating": 1}
    refused(own.post("/api/second-looks/", body), 404, "not_found")


def test_an_expert_of_another_phase_sees_none_of_it(make, task, second_annotator, signed_in, refused):
    make.phase(second_annotator).memberships.update(role="expert")
    client = signed_in(second_annotator)
    refused(client.get(f"/api/second-looks/?round={task.round_id}"), 404, "not_found")
    body = {"labelling": str(task.labellings.get().pk), "step": 0, "rating": 1}
    refused(client.post("/api/second-looks/", body), 404, "not_found")
    assert client.get("/api/label-noise/").json() == []


@pytest.mark.every_case
@pytest.mark.parametrize("change", ["gold", "screening", "superseded", "alternatives", "unscored"])
def test_some_labels_are_never_looked_at(get, task, model, now, change):
    if change == "gold":
        type(task).objects.update(is_gold=True)
    if change == "screening":
        type(task.round).objects.update(number=-1)
    if change == "superseded":
        task.labellings.update(superseded_at=now)
    if change == "alternatives":
        type(task.round.phase).objects.update(kind="alternatives")
    if change == "unscored":
        model.scores.all().delete()
    assert get().json()["look_at"] is None


def test_without_a_model_nothing_surprises(admin_client, open_round):
    assert admin_client.get(f"/api/second-looks/?round={open_round.pk}").json() == {"look_at": None}
    assert admin_client.get("/api/label-noise/").json() == []


def test_bad_questions_are_refused(admin_client, task, refused):
    assert admin_client.get("/api/second-looks/").json()["look_at"], "of the newest round"
    refused(admin_client.get("/api/second-looks/?round=x"), 400, "invalid")
    body = {"labelling": str(task.labellings.get().pk), "step": 0, "rating": 1}
    for wrong in ({"rating": 5}, {"step": -1}, {"labelling": "x"}):
        refused(admin_client.post("/api/second-looks/", body | wrong), 400, "invalid")
    refused(admin_client.post("/api/second-looks/", body | {"step": 7}), 404, "not_found")


def test_the_noise_of_each_round(admin_client, get):
    label = get().json()["look_at"]
    admin_client.post("/api/second-looks/", {"labelling": label["labelling"], "step": 1, "rating": -1})
    (row,) = admin_client.get("/api/label-noise/").json()
    assert (row["labels"], row["surprising"], row["looks"], row["changed"]) == (3, 2, 1, 1)
    assert row["estimate"] is None, "the other bands were not looked at"
    for step in (0, 2):
        admin_client.post("/api/second-looks/", {"labelling": label["labelling"], "step": step, "rating": 1})
    (row,) = admin_client.get("/api/label-noise/").json()
    assert row["estimate"] == row["low"] == row["high"] == pytest.approx(2 / 3), "all were looked at"


def test_the_noise_of_many_rounds_is_asked_for_at_once(admin_client, make, task, model, django_assert_num_queries):
    for number in (1, 2, 3):
        make.labelling(scored(make, model, make.task(task.round.phase, number), 0.9, 0.9), 1, -1)
    with django_assert_num_queries(5):  # session, user, the model, the rounds, their labels in bands
        assert len(admin_client.get("/api/label-noise/").json()) == 4


def test_newer_rounds_without_labels_hide_no_labelled_round(admin_client, make, task, now):
    for _ in range(20):
        newer = make.task().round
        newer.opened_at = now + timedelta(days=1)
        newer.save()
    (row,) = admin_client.get("/api/label-noise/").json()
    assert row["round"] == str(task.round_id)


def test_one_look_in_four_goes_to_the_labels_that_do_not_surprise(get, admin_client, make, task, model):
    """Two tasks with three labels each: the least likely come first, except at every fourth look."""
    make.labelling(scored(make, model, make.task(task.round.phase), 0.95, 0.05, 0.2), 1, 1, 1)
    chances = []
    while label := get().json()["look_at"]:
        body = {"labelling": label["labelling"], "step": label["step"], "rating": 1}
        chances.append(admin_client.post("/api/second-looks/", body).json()["chance"])
    assert sorted(chances[:4]) == pytest.approx([0.01, 0.05, 0.2, chances[3]])
    assert chances[3] > 0.3
    assert len(chances) == 6


def test_the_interval_covers_the_true_noise():
    """Most, not all, noisy labels surprise the model. Coverage should be 95 %, and must be 90 %."""
    covered = 0
    for seed in range(20):
        rng = random.Random(seed)
        bands: dict[int, list[bool]] = {0: [], 3: []}  # by how surprising, whether a second look changes it
        for _ in range(300):
            band = 0 if rng.random() < 0.1 else 3
            bands[band].append(rng.random() < (0.5 if band == 0 else 0.04))
        seen: dict[int, list[bool]] = {0: [], 3: []}
        for turn in range(60):
            is_spent = len(seen[0]) == len(bands[0])
            band = 3 if is_spent or is_likely_ones_turn(turn) else 0
            seen[band].append(bands[band][len(seen[band])])
        said = noise({band: Band(len(bands[band]), len(seen[band]), sum(seen[band])) for band in bands})
        covered += said.low <= sum(map(sum, bands.values())) / 300 <= said.high
    assert covered >= 18


def test_without_second_looks_there_is_no_estimate():
    assert noise({}).estimate is None
