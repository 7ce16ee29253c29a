"""/api/verifier/: requests are answered by a worker, many in one forward pass."""

import math
from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.throttling import ScopedRateThrottle

from labeling.jobs import lifecycle
from labeling.models import Worker
from labeling.rules.words import RunKind
from prm_training.models import Verification
from prm_training.prm import loading
from prm_training.prm import model as models
from prm_training.reward_models import verifier
from prm_training.work import scoring, training
from prm_training.worker import tasks

SUM = {"problem": "What is 2 + 3?", "solutions": [{"text": "2 + 3 = 5.\nThe answer is 5."}]}


@pytest.fixture(scope="module")
def saved_model(tiny_base, tmp_path_factory):
    root = tmp_path_factory.mktemp("models")
    models.save(loading.load_base(tiny_base), root / "m")
    return root


@pytest.fixture
def current(make, settings, saved_model):
    """The current model, on disk."""
    settings.MODELS_ROOT = saved_model
    return make.reward_model(directory="m", is_current=True)


@pytest.fixture
def ask(ml_staff_client, current):
    """Sends a request to the phase's current model."""

    def act(client=ml_staff_client, **more):
        return client.post("/api/verifier/", SUM | {"phase": str(current.phase.pk)} | more)

    return act


@pytest.fixture
def worker(db):
    """A live worker, by its heartbeat."""
    now = timezone.now()
    return Worker.objects.create(name="w", queues="cpu, gpu", started_at=now, last_seen_at=now)


@pytest.fixture
def answering(worker, monkeypatch, django_capture_on_commit_callbacks):
    """A worker that answers at once: a message runs its task directly."""
    monkeypatch.setattr(verifier.queueing, "enqueue", lambda run: tasks.run(run.kind, str(run.pk)))
    monkeypatch.setattr(verifier.transaction, "on_commit", lambda act: act())


@pytest.fixture
def asleep(worker, settings):
    """A worker that is alive, but busy with something else."""
    settings.VERIFIER_WAIT_SECONDS = 0


@pytest.fixture
def passes(monkeypatch, saved_model):
    """Counts forward passes, except those of loading."""
    training._loaded(saved_model / "m")
    counted = []
    outputs = models.StepClassifier.outputs

    def count(self, batch):
        counted.append(batch)
        return outputs(self, batch)

    monkeypatch.setattr(models.StepClassifier, "outputs", count)
    return counted


def test_it_works(ml_staff_client, ask, current, answering):
    response = ask()
    assert response.status_code == 200, response.json()
    body = response.json()
    assert (body["status"], body["error"], body["waiting_for"]) == ("done", "", "")
    assert (body["model_name"], body["threshold"]) == (current.name, 0.5)
    (judged,) = body["solutions"]
    assert [step["text"] for step in judged["steps"]] == ["2 + 3 = 5.", "The answer is 5."]
    right = [step["p_right"] for step in judged["steps"]]
    assert judged["product"] == pytest.approx(math.prod(right))
    assert judged["minimum"] == pytest.approx(min(right))
    for step in judged["steps"]:
        assert step["p_negative"] + step["p_right"] == pytest.approx(1)
    again = ml_staff_client.get(f"/api/verifier/{body['id']}/").json()
    assert again == body


@pytest.mark.parametrize(
    ("split", "steps"),
    [
        ({}, ["We add. It is 5.", "So <b>5."]),
        ({"split_by": "sentences"}, ["We add.", "It is 5.", "So <b>5."]),
        ({"split_by": "mark", "mark": "<b>"}, ["We add. It is 5.\nSo", "5."]),
        ({"mark": "<b>"}, ["We add. It is 5.\nSo", "5."]),
    ],
)
def test_texts_are_split_by_the_rule(ask, answering, split, steps):
    (judged,) = ask(solutions=[{"text": "We add. It is 5.\nSo <b>5."}], **split).json()["solutions"]
    assert [step["text"] for step in judged["steps"]] == steps


def test_a_mark_with_another_rule_is_refused(ask):
    refused = ask(solutions=[{"text": "So <b>5."}], split_by="usual", mark="<b>")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["mark"])


@pytest.mark.any_database
def test_it_gives_what_scoring_gives(make, ask, current, answering):
    solution = make.solution(steps=SUM["solutions"][0]["text"].split("\n"))
    run = make.scoring_run(reward_model=current)
    lifecycle.carry_out(run.pk, scoring.score, worker="here")
    body = ask(problem=solution.problem.statement, solutions=[{"steps": solution.steps}]).json()
    assert body["solutions"][0]["product"] == pytest.approx(math.exp(solution.scores.get().log_score), abs=1e-6)


def test_the_first_suspect_step_is_below_the_threshold(ask, answering):
    def first_suspect(threshold):
        body = ask(threshold=threshold).json()
        return body["solutions"][0]["first_suspect"]

    assert first_suspect(1.0) == 0
    assert first_suspect(0.0) is None


def test_it_ranks_the_best_of_n(ask, answering):
    solutions = [{"steps": ["2 + 3 = 5."] * number} for number in (3, 1, 2)]
    judged = ask(solutions=solutions).json()["solutions"]
    ranked = sorted(judged, key=lambda each: each["rank"])
    assert [each["rank"] for each in ranked] == [1, 2, 3]
    assert [each["product"] for each in ranked] == sorted((each["product"] for each in judged), reverse=True)
    assert len(judged[0]["steps"]) == 3, "they stay in the order asked"


def test_requests_that_wait_together_cost_one_forward_pass(ask, asleep, passes):
    for number in range(20):
        asked = {"problem": f"What is {number} + 1?", "solutions": SUM["solutions"] * 2}
        assert ask(**asked).status_code == 202
    assert passes == []
    tasks.run("verify", str(Verification.objects.first().pk))
    assert len(passes) == 1
    assert set(Verification.objects.values_list("status", flat=True)) == {"done"}
    tasks.run("verify", str(Verification.objects.last().pk))  # the other messages find nothing to do
    assert len(passes) == 1


def test_the_model_stays_in_memory(ask, answering, monkeypatch):
    ask()
    monkeypatch.setattr(training.loading, "load_reward_model", None)
    assert ask().json()["status"] == "done"


def test_without_an_answer_in_time_the_row_can_be_polled(ml_staff_client, ask, asleep):
    response = ask()
    assert response.status_code == 202
    body = response.json()
    assert (body["status"], body["solutions"]) == ("queued", [])
    assert body["waiting_for"] == "The worker is about to answer."
    tasks.run("verify", body["id"])
    assert ml_staff_client.get(f"/api/verifier/{body['id']}/").json()["status"] == "done"


def test_it_says_that_the_worker_trains(make, ask, asleep):
    make.training_run(status="running", worker="w", started_at=timezone.now(), done=30, total=40)
    body = ask().json()
    assert body["waiting_for"] == (
        "The worker is busy: training run for 0 min, 75 % done; it answers between two steps of it."
    )


def test_it_says_that_a_selection_is_not_interrupted(make, ask, asleep):
    make.selection(status="running", worker="w", started_at=timezone.now())
    body = ask().json()
    assert body["waiting_for"] == "The worker is busy: selection for 0 min; it answers once that is over."


def test_a_free_worker_answers_while_another_is_busy(make, ml_staff_client, ask, asleep):
    now = timezone.now()
    Worker.objects.create(name="free", queues="cpu, gpu", started_at=now, last_seen_at=now)
    make.training_run(status="running", worker="w", started_at=now)
    body = ask().json()
    assert body["waiting_for"] == "The worker is about to answer."
    make.selection(status="running", worker="free", started_at=now - timedelta(hours=1))
    body = ml_staff_client.get(f"/api/verifier/{body['id']}/").json()
    assert body["waiting_for"].startswith("The worker is busy: training run")


@pytest.mark.parametrize("kind", ["train", "score", "generate"])
def test_a_worker_answers_between_two_steps(make, current, kind, tiny_base, settings, tmp_path, generator):
    settings.MEDIA_ROOT = tmp_path
    asked = make.verification(reward_model=current, problem="2 + 3?", solutions=[["5."]])
    for _ in range(4):
        make.labelling(make.task(current.phase), 1, -1)
    generator.answers = [["2 and 3 make 5."]]
    run = {
        "train": lambda: make.training_run(base=str(tiny_base), settings={"epochs": 1}),
        "score": lambda: make.scoring_run(reward_model=current),
        "generate": lambda: make.generation(generator_url=generator.url, samples=1),
    }[kind]()
    seen = []

    def look(work):
        def watched(run, report):
            def spy(**columns):
                report(**columns)
                seen.append(Verification.objects.get().status)

            work(run, spy)

        return watched

    work = {"train": training.train, "score": scoring.score, "generate": training.generate}[kind]
    lifecycle.carry_out(run.pk, look(work), worker="here")
    asked.refresh_from_db()
    run.refresh_from_db()
    assert (run.status, asked.status, asked.worker) == ("done", "done", "here")
    assert seen[0] == "queued"
    assert seen[-1] == "done", "before the work's last report"


@pytest.mark.usefixtures("worker")
def test_without_a_model_it_says_so(make, phase, ml_staff_client, refused):
    """Another phase's current model is never used by default."""
    make.reward_model(phase=make.phase(), is_current=True)
    for named, told in (({}, "Name a reward model"), ({"phase": str(phase.pk)}, "“Arithmetic” has no reward model")):
        assert told in refused(ml_staff_client.post("/api/verifier/", SUM | named), 409, "no_model")["detail"]


def test_an_outcome_model_verifies_nothing(make, ml_staff_client, worker, refused):
    orm = make.reward_model(training_run=make.training_run(supervision="outcome"))
    body = refused(ml_staff_client.post("/api/verifier/", SUM | {"reward_model": str(orm.pk)}), 409, "not_for_steps")
    assert str(orm) in body["detail"]
    refused(ml_staff_client.post("/api/verifier/", SUM), 409, "no_model")
    assert not Verification.objects.exists()


def test_without_a_worker_it_says_so(ask, refused):
    refused(ask(), 503, "no_worker")
    assert not Verification.objects.exists()


def test_a_missing_model_is_reported(make, ml_staff_client, current, answering):
    gone = make.reward_model(directory="gone")
    body = ml_staff_client.post("/api/verifier/", SUM | {"reward_model": str(gone.pk)}).json()
    assert body["status"] == "failed"
    assert "gone" in body["error"]


def test_a_dead_workers_request_goes_to_the_next_worker(make, current, worker):
    run = make.verification(reward_model=current, problem="2 + 3?", solutions=[["5."]])
    assert verifier.take(worker="first", now=timezone.now())
    assert verifier.take(worker="second", now=timezone.now()) == {}
    Verification.objects.update(status="queued", worker="")  # as the heartbeat does with a silent worker's runs
    training.verify_waiting(worker="second")
    run.refresh_from_db()
    assert (run.status, run.worker, run.attempts) == ("done", "second", 2)


def test_a_request_that_keeps_killing_its_worker_is_given_up(make, current):
    run = make.verification(reward_model=current, problem="", solutions=[["5."]], attempts=lifecycle.MAX_ATTEMPTS)
    training.verify_waiting(worker="here")
    run.refresh_from_db()
    assert run.status == "failed"
    assert "died" in run.error


def test_answers_are_forgotten_after_a_day(make, current):
    now = timezone.now()
    for age in (0.5, 1.5):
        make.verification(reward_model=current, problem="", solutions=[], finished_at=now - age * verifier.FORGET_AFTER)
    verifier.forget(now=now)
    assert Verification.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"problem": ""},
        {"solutions": []},
        {"solutions": [{}]},
        {"solutions": [{"text": "5.", "steps": ["5."]}]},
        {"solutions": [{"text": " \n"}]},
        {"solutions": [{"steps": ["5.", " "]}]},
        {"solutions": [{"text": "\n".join("x" * 2001)}]},
        {"solutions": [{"text": "5."}] * 65},
        {"threshold": 2},
        {"split_by": "model"},
        {"reward_model": "9b8d3c6e-0000-0000-0000-000000000000"},
    ],
)
def test_a_bad_question_is_refused(ask, worker, refused, wrong):
    refused(ask(**wrong), 400, "invalid")


def test_too_frequent_requests_are_throttled(ask, admin_client, asleep, refused, monkeypatch):
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "verifier", "2/min")
    for _ in range(2):
        assert ask().status_code == 202
    response = ask()
    refused(response, 429, "throttled")
    assert int(response["Retry-After"]) > 0
    assert ask(admin_client).status_code == 202, "each has their own"


def test_it_goes_to_the_workers_that_hold_models():
    assert RunKind(Verification.KIND).traits.queue == "gpu"
