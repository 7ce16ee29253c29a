"""labeling.counts.rollups: a worker counts many rows; few are counted in the request, so never outdated."""

import sys
from datetime import timedelta
from importlib import import_module
from uuid import uuid4

import pytest
from django.conf import settings

from labeling.campaign import consensus, quality
from labeling.counts import pool_counts, rollups
from labeling.models import Phase, Rollup, Round
from prm_training.worker import rollup_kinds

TASK = "prm_training.roll_up"
PACKAGES = {"annotate", "labeling", "prm_training"}
SUBJECTS = {
    "accuracies": "all",
    "agreement": "round",
    "arms": "phase",
    "dashboard": "phase",
    "loop": "phase",
    "pool": "all",
    "quality": "phase",
    "queues": "phase",
    "recount": "phase",
}


@pytest.fixture
def many(monkeypatch):
    """Treats any number of rows as many, for a worker to count."""
    for module in (rollups, pool_counts):
        monkeypatch.setattr(module, "FEW", 0)


@pytest.fixture
def asked(phase, admin_client, broker, django_capture_on_commit_callbacks):
    """Requests the phase's dashboard. Returns the answer and the messages enqueued."""

    def ask():
        with django_capture_on_commit_callbacks(execute=True):
            body = admin_client.get(f"/api/phases/{phase.pk}/dashboard/").json()
        return body, broker()

    return ask


def count(phase):
    rollup_kinds.count_named("dashboard", phase.pk)


def test_few_rows_are_counted_at_once(open_round, labelling, asked):
    body, rang = asked()
    assert (body["as_of"], body["is_counting"], rang) == (None, False, [])
    assert body["funnel"][0]["labelled"] == 1
    assert not Rollup.objects.exists()


def test_many_are_counted_by_a_worker(many, phase, open_round, labelling, asked):
    body, rang = asked()
    assert (body["as_of"], body["is_counting"], body["funnel"]) == (None, True, [])
    assert rang == [(TASK, str(phase.pk), "dashboard")]
    count(phase)
    body, rang = asked()
    assert (body["is_counting"], body["funnel"][0]["labelled"], rang) == (False, 1, [])
    assert body["as_of"]


def test_reading_an_old_count_requests_a_new_one_once(many, phase, open_round, asked, make):
    asked()
    count(phase)
    Rollup.objects.update(counted_at=Rollup.objects.get().counted_at - timedelta(minutes=2))
    make.labelling(open_round.tasks.first(), 1)
    body, rang = asked()
    assert (body["funnel"][0]["labelled"], rang) == (0, [(TASK, str(phase.pk), "dashboard")])
    assert asked()[1] == [], "a worker has been told"
    count(phase)
    assert asked()[0]["funnel"][0]["labelled"] == 1


def test_a_slow_count_is_kept_for_longer(many, phase, open_round, asked):
    asked()
    count(phase)
    Rollup.objects.update(counted_at=Rollup.objects.get().counted_at - timedelta(minutes=2), took_ms=30_000)
    assert asked()[1] == []


def test_a_lost_message_is_sent_again(many, phase, open_round, asked):
    asked()
    assert asked()[1] == []
    Rollup.objects.update(requested_at=Rollup.objects.get().requested_at - timedelta(minutes=11))
    assert asked()[1] == [(TASK, str(phase.pk), "dashboard")]


def test_a_count_is_shown_without_a_broker(
    many, phase, open_round, admin_client, dead_broker, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        assert admin_client.get(f"/api/phases/{phase.pk}/dashboard/").status_code == 200


def test_workers_know_every_kind_that_the_code_has():
    import_module(settings.ROOT_URLCONF)  # imports every kind that a page counts
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] in PACKAGES]
    kinds = {each for module in modules for each in vars(module).values() if isinstance(each, rollups.Kind)}
    assert kinds == {*rollup_kinds.ALL}


@pytest.mark.parametrize("kind", rollup_kinds.KINDS)
def test_a_worker_and_a_request_count_every_kind_alike(kind, many, phase, open_round, labelling):
    """A worker stores the numbers that a request would count."""
    subject = {"phase": phase.pk, "round": open_round.pk, "all": rollups.ALL}[SUBJECTS[kind]]
    Rollup.objects.create(kind=kind, subject=subject)
    rollup_kinds.count_named(kind, subject)
    assert Rollup.objects.get().value == _plain(rollup_kinds.KINDS[kind].count(subject))


def _plain(value):
    """Returns the value as JSON represents it."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def test_the_agreement_on_many_labellings_is_counted_by_a_worker(
    monkeypatch, phase, open_round, labelling, admin_client
):
    monkeypatch.setattr(consensus, "FEW_LABELLINGS", 0)
    address = f"/api/rounds/{open_round.pk}/agreement/"
    assert admin_client.get(address).json()["is_counting"]
    rollup_kinds.count_named("agreement", open_round.pk)
    assert admin_client.get(address).json().keys() >= {"tasks", "alpha", "pairs", "as_of"}


def test_a_new_source_is_listed_before_it_is_counted(many, make, admin_client):
    make.solutions(2)
    admin_client.get("/api/pool/")
    rollup_kinds.count_named("pool", rollups.ALL)
    make.solution(source="new", generator="fresh")
    body = admin_client.get("/api/pool/").json()
    assert [(row["source"], row["solutions"]) for row in body["sources"]] == [("new", 0), ("world", 2)]
    assert ([row["generator"] for row in body["generators"]], body["solutions"]) == (["fresh"], 2)


def test_the_pool_as_counted_by_an_older_version(many, make, admin_client):
    make.solutions(2)
    admin_client.get("/api/pool/")
    rollup_kinds.count_named("pool", rollups.ALL)
    kept = Rollup.objects.get(kind="pool")
    Rollup.objects.update(value={name: value for name, value in kept.value.items() if name != "problem_sources"})
    body = admin_client.get("/api/pool/").json()
    assert (body["solutions"], body["problem_sources"]) == (2, [])


@pytest.fixture
def on_gold(make, phase, annotator):
    """An annotator's labelling of hidden gold that agrees with the experts."""
    task = make.task(phase, is_gold=True)
    make.gold(1, -1, solution=task.solution)
    return make.labelling(task, 1, -1, annotator=annotator)


@pytest.fixture
def disputed(make, phase, annotator, second_annotator, now):
    """Three tasks with different first errors by their annotators, in the order of labelling."""
    tasks = [make.task(phase, overlap=2) for _ in range(3)]
    for number, task in enumerate(tasks):
        at = now + timedelta(minutes=number)
        make.labelling(task, 1, -1, annotator=annotator, submitted_at=at)
        make.labelling(task, -1, annotator=second_annotator, submitted_at=at)
    Round.objects.update(task_count=3)
    return tasks


def test_the_queues_of_a_big_phase(many, disputed, phase, admin_client):
    def waiting():
        return {row["queue"]: row["waiting"] for row in admin_client.get("/api/adjudication/").json()}

    def listed():
        return [row["id"] for row in admin_client.get("/api/adjudication/disagreement/").json()["results"]]

    assert (waiting()["disagreement"], listed()) == (0, [])
    rollup_kinds.count_named("queues", phase.pk)
    assert waiting()["disagreement"] == 3
    assert listed() == [str(task.pk) for task in disputed], "the oldest word first"
    body = {"outcome": "dismiss", "note": "Both may be."}
    admin_client.post(f"/api/adjudication/disagreement/{disputed[0].pk}/", body)
    assert listed() == [str(task.pk) for task in disputed[1:]], "what is settled is gone at once"


def test_the_queues_of_many_big_phases_are_read_at_once(
    many, disputed, phase, make, admin_client, django_assert_num_queries
):
    for name in ("other", "third"):
        make.task(make.phase(name=name))
    Round.objects.update(task_count=3)
    for each in Phase.objects.all():
        Rollup.objects.create(kind="queues", subject=each.pk)
        rollup_kinds.count_named("queues", each.pk)
    with django_assert_num_queries(4):  # session, user, rounds, roll-ups
        body = admin_client.get("/api/adjudication/").json()
    assert {row["queue"]: row["waiting"] for row in body}["disagreement"] == 3


def test_the_smallest_phases_are_counted_at_once_up_to_a_limit(monkeypatch, make, admin_client):
    """The smallest phases are counted in the request, up to few tasks altogether."""
    for number in (1, 2, 3):
        phase = make.phase(name=f"of {number}")
        for _ in range(number):
            make.labelling(make.task(phase), finish_reason="give_up")
    for few, waiting in ((6, 6), (5, 3), (2, 1), (0, 0)):
        monkeypatch.setattr(rollups, "FEW", few)
        sizes = {row["queue"]: row["waiting"] for row in admin_client.get("/api/adjudication/").json()}
        listed = admin_client.get("/api/adjudication/give_up/").json()["results"]
        assert (sizes["give_up"], len(listed)) == (waiting, waiting)


def test_small_phases_beside_a_big_one_are_looked_through_at_once(monkeypatch, disputed, phase, make, admin_client):
    monkeypatch.setattr(rollups, "FEW", 2)
    other = make.task(make.phase())
    make.labelling(other, 1, finish_reason="give_up")
    sizes = {row["queue"]: row["waiting"] for row in admin_client.get("/api/adjudication/").json()}
    assert (sizes["disagreement"], sizes["give_up"]) == (0, 1)
    (row,) = admin_client.get("/api/adjudication/give_up/").json()["results"]
    assert row["id"] == str(other.pk)


def test_the_loop_of_a_big_phase(many, phase, open_round, labelling, admin_client):
    address = f"/api/phases/{phase.pk}/loop/"
    assert admin_client.get(address).json()["is_counting"]
    rollup_kinds.count_named("loop", phase.pk)
    body = admin_client.get(address).json()
    assert (body["is_counting"], body["labels_since_training"]) == (False, 1)
    assert body["history"][0]["wrong_share"] == 1


def test_counting_a_deleted_phase_fails(db):
    with pytest.raises(Phase.DoesNotExist):
        rollup_kinds.count_named("loop", uuid4())


def test_the_quality_of_members_with_much_gold(monkeypatch, on_gold, phase, admin_client):
    monkeypatch.setattr(quality, "FEW", 0)
    address = f"/api/phases/{phase.pk}/members/"
    ada = admin_client.get(address).json()["results"][0]
    assert (ada["is_counting"], ada["quality"]["tasks"], ada["labellings"]) == (True, 0, 1)
    rollup_kinds.count_named("quality", phase.pk)
    ada, ben = admin_client.get(address).json()["results"]
    assert (ada["is_counting"], ada["quality"]["accuracy"], ada["quality"]["outcomes"]) == (False, 1, {"exact": 1})
    assert (bool(ben["as_of"]), ben["quality"]["tasks"]) == (True, 0)


def test_the_accuracy_of_people_with_much_gold(monkeypatch, on_gold, admin_client):
    monkeypatch.setattr(quality, "FEW", 0)
    address = "/api/people/?username=ada"
    (ada,) = admin_client.get(address).json()["results"]
    assert (ada["is_counting"], ada["accuracy"], ada["labellings"]) == (True, None, 1)
    rollup_kinds.count_named("accuracies", rollups.ALL)
    (ada,) = admin_client.get(address).json()["results"]
    assert (ada["is_counting"], bool(ada["as_of"]), ada["accuracy"], ada["gold_tasks"]) == (False, True, 1, 1)
