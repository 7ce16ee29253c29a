"""The same request by many at once: one or all succeed, the others get a clear refusal, and none crashes."""

from collections import Counter
from itertools import repeat

import pytest
from django.utils import timezone

from labeling.models import Gold, Phase, Role, User
from labeling.people import invitations
from prm_training.loop import autopilot
from prm_training.models import PilotStatus, Promotion, TrainingRun
from prm_training.starting import acts, readiness
from tests import autopilots

pytestmark = pytest.mark.django_db(transaction=True)
RATINGS = [{"step": step, "rating": 1} for step in range(3)]


@pytest.fixture
def race(transactional_db, at_once, signed_in):
    """Sends each person's request at the same moment. Returns the statuses, counted."""

    def run(people, method, address, bodies):
        requests = [(signed_in(person), body) for person, body in zip(people, bodies, strict=False)]

        def send(request):
            client, body = request
            answer = getattr(client, method)(address, body)
            assert answer.status_code < 300 or answer["Content-Type"] == "application/problem+json"
            assert answer.status_code != 409 or answer.json()["detail"]
            return answer.status_code

        return Counter(at_once(send, requests))

    return run


@pytest.fixture
def admins(transactional_db, make, crowd):
    return [make.user(role=Role.ADMIN) for _ in range(crowd)]


PASSWORD = "a long password"
NEW_ROWS = [
    ("/api/phases/", {"name": "Algebra"}, Phase, {"name": "Algebra"}),
    ("/api/people/", {"username": "petra", "password": PASSWORD}, User, {"username": "petra"}),
]


@pytest.mark.parametrize(("address", "body", "model", "row"), NEW_ROWS, ids=["phase", "person"])
def test_a_name_is_given_once(race, admins, address, body, model, row):
    statuses = race(admins, "post", address, repeat(body))
    assert statuses[201] == 1
    assert set(statuses) <= {201, 400, 409}
    assert model.objects.filter(**row).count() == 1


def test_a_clone_is_made_once(race, admins, make):
    address = f"/api/phases/{make.phase().pk}/clone/"
    statuses = race(admins, "post", address, repeat({"name": "Copy"}))
    assert (statuses[201], set(statuses) <= {201, 400, 409}) == (1, True)


def test_two_phases_never_take_one_name(race, admins, make, at_once, signed_in):
    phases = [make.phase() for _ in admins]

    def rename(pair):
        client, phase = pair
        return client.patch(f"/api/phases/{phase.pk}/settings/", {"name": "Algebra"}).status_code

    statuses = Counter(
        at_once(rename, [(signed_in(admin), phase) for admin, phase in zip(admins, phases, strict=True)])
    )
    assert (statuses[200], set(statuses) <= {200, 400, 409}) == (1, True)


def test_a_token_of_a_name_is_made_once(race, admins):
    statuses = race(repeat(admins[0], len(admins)), "post", "/api/tokens/", repeat({"name": "export"}, len(admins)))
    assert (statuses[201], set(statuses) <= {201, 400, 409}) == (1, True)
    assert admins[0].api_tokens.count() == 1


def test_many_invitations_and_one_name(admins, at_once, signed_in):
    """All links stay open but the one that was used."""
    secrets = [invitations.invite(days=7, now=timezone.now(), by=admin)[1] for admin in admins]
    body = {"username": "petra", "password": PASSWORD}

    def accept(pair):
        client, secret = pair
        return client.post(f"/api/invite/{secret}/", body).status_code

    clients = [signed_in(admin) for admin in admins]
    statuses = Counter(at_once(accept, list(zip(clients, secrets, strict=True))))
    assert (statuses[201], set(statuses) <= {201, 400, 409}) == (1, True)
    assert admins[0].invitations.model.objects.open(now=timezone.now()).count() == len(admins) - 1


def test_members_are_added_once(race, admins, make):
    phase, person = make.phase(), make.user(username="petra")
    statuses = race(admins, "post", f"/api/phases/{phase.pk}/members/", repeat({"usernames": ["petra"]}))
    assert set(statuses) <= {204, 409}
    assert phase.memberships.filter(user=person).count() == 1


@pytest.mark.parametrize("address", ["/api/gold/", "/api/gold/import/"])
def test_gold_gets_one_version_after_the_other(race, admins, make, address):
    row = {"solution": str(make.solution().pk), "ratings": [1, 1, 1]}
    body = {"gold_set": "gold", "golds": [row]} if "import" in address else row
    statuses = race(admins, "post", address, repeat(body))
    assert set(statuses) <= {201, 409}
    assert sorted(Gold.objects.values_list("version", flat=True)) == list(range(1, statuses[201] + 1))


def test_one_screening_is_made(race, admins, make):
    phase = make.phase()
    make.gold(1, 1, 1, gold_set="exam")
    statuses = race(admins, "post", f"/api/phases/{phase.pk}/screening/", repeat({"gold_set": "exam", "size": 1}))
    assert (statuses[201], set(statuses) <= {201, 400, 409}) == (1, True)


def test_a_solution_is_published_once(race, admins, make):
    round_ = make.round(make.phase())
    solution = make.solution()
    statuses = race(admins, "post", f"/api/rounds/{round_.pk}/tasks/", repeat({"solutions": [str(solution.pk)]}))
    assert set(statuses) <= {204, 400, 409}
    assert round_.tasks.filter(solution=solution).count() == 1


def test_a_case_is_settled_once(race, admins, make):
    phase = make.phase(overlap=2)
    task = make.task(phase, overlap=2)
    for ratings in ((1, 1, 1), (-1,)):
        make.labelling(task, *ratings, annotator=make.user())
    ruling = {"outcome": "ratings", "ratings": [1, 1, 1]}
    statuses = race(admins, "post", f"/api/adjudication/disagreement/{task.pk}/", repeat(ruling))
    assert set(statuses) <= {200, 404, 409}
    assert statuses[200] >= 1


def test_a_case_is_reopened_once(race, admins, make):
    make.labelling(task := make.task(), finish_reason="give_up")
    address = f"/api/adjudication/give_up/{task.pk}/"
    race(admins[:1], "post", address, [{"outcome": "dismiss"}])
    assert race(admins, "post", f"{address}reopen/", repeat(None)) == {200: 1, 409: len(admins) - 1}


@pytest.mark.parametrize(
    ("method", "act", "body"),
    [
        ("put", "draft", {"version": 1, "ratings": RATINGS}),
        ("post", "report", {"note": "It is 6."}),
        ("post", "report", {"note": "Why?", "kind": "question"}),
        ("post", "submit", {"ratings": RATINGS, "finish_reason": "solution"}),
    ],
)
def test_many_tabs_send_the_same(race, annotator, assignment, crowd, method, act, body):
    address = f"/api/assignments/{assignment.pk}/{act}/"
    statuses = race(repeat(annotator, crowd), method, address, repeat(body, crowd))
    assert set(statuses) <= {200, 204, 409}
    assert statuses[200] + statuses[204] >= 1


def test_an_autopilot_is_one_row(race, admins, make, crowd):
    phase = make.phase()
    people = [make.user(role=Role.ML_STAFF) for _ in range(crowd)]
    statuses = race(people, "patch", f"/api/autopilots/{phase.pk}/", repeat({}))
    assert set(statuses) <= {200, 409}


def test_one_consensus_of_a_method_is_stored(race, admins, make):
    task = make.task(make.phase(overlap=2), overlap=2)
    for _ in range(2):
        make.labelling(task, 1, 1, 1, annotator=make.user())
    statuses = race(admins, "post", f"/api/rounds/{task.round_id}/consensus/", repeat(None))
    assert set(statuses) <= {200, 409}
    assert sorted(task.consensuses.values_list("method", flat=True)) == ["dawid_skene", "majority"]


def test_one_model_is_the_current_one(at_once, make, crowd, signed_in):
    def promote(pair):
        client, model = pair
        return client.post(f"/api/reward-models/{model.pk}/promote/").status_code

    phase = make.phase()
    pairs = [(signed_in(make.user(role=Role.ML_STAFF)), make.reward_model()) for _ in range(crowd)]
    assert set(at_once(promote, pairs)) <= {200, 201, 204, 409}
    assert Promotion.objects.filter(phase=phase, previous=None).count() == 1


@pytest.mark.usefixtures("ready", "broker")
def test_a_phase_is_trained_on_once(race, make, phase, crowd):
    people = [make.user(role=Role.ML_STAFF) for _ in range(crowd)]
    bodies = [{"name": person.username, "phase": str(phase.pk)} for person in people]
    statuses = race(people, "post", "/api/training-runs/", bodies)
    assert statuses == {201: 1, 409: crowd - 1}
    assert TrainingRun.objects.count() == 1


@pytest.mark.usefixtures("broker")
def test_a_person_and_an_autopilot_start_one_training(make, phase, open_round, ml_staff, at_once):
    """Both have read that none is under way before either starts one."""
    autopilot.change_autopilot(phase=phase, by=ml_staff, settings={})
    pilot = autopilot.switch_on(phase=phase, by=ml_staff, now=timezone.now())
    autopilots.label_everything(make, open_round)
    assert autopilot.advance_all(now=timezone.now()) == 1  # closes the round

    def start(who):
        if who == "autopilot":
            return autopilot.advance_all(now=timezone.now())
        return acts.start_training(owner=ml_staff, name="mine", phase=phase, settings={"seed": 7})

    done, mine = at_once(start, ["autopilot", "person"])
    run = TrainingRun.objects.get()
    assert (done == 1) == run.is_automatic
    assert isinstance(mine, readiness.UnderWay if done else TrainingRun)
    pilot.refresh_from_db()
    assert pilot.status == PilotStatus.ON


def test_a_label_is_looked_at_once(race, admins, make):
    task = make.task()
    score = make.score(make.reward_model(is_current=True), task.solution, -3.0)
    score.step_log_probabilities = [-0.1, -4.0, -0.1]
    score.save()
    labelling = make.labelling(task, 1, 1, 1, annotator=make.user())
    body = {"labelling": str(labelling.pk), "step": 1, "rating": -1}
    statuses = race(admins, "post", "/api/second-looks/", repeat(body))
    assert (statuses[200], set(statuses) <= {200, 404, 409}) == (1, True)
