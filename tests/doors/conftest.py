"""People of every role, and a row for each id in an address, made once per module."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone
from rest_framework.test import APIClient

from annotate import allocation
from labeling.models import Benchmark, BrowserSession, Image, Report, User
from labeling.people import invitations, tokens
from prm_training.models import Import
from tests.conftest import browser_of
from tests.making import NOW, Make, kept_image

PNG = b"\x89PNG\r\n\x1a\n..."


@pytest.fixture(scope="module")
def people(make_once: Make) -> dict[str, User]:
    return {
        "holder": make_once.user(username="ada"),
        "member": make_once.user(username="ben"),
        "outsider": make_once.user(username="olga"),
        "expert": make_once.user(username="emil"),
        "admin": make_once.user(username="alma", role="admin"),
        "ml_staff": make_once.user(username="mika", role="ml_staff"),
        "superuser": make_once.user(username="root", is_superuser=True, is_staff=True),
    }


@pytest.fixture(scope="module")
def ids(make_once: Make, people: dict[str, User]) -> dict[str, Any]:
    """Ids of existing rows, so that requests are refused for lack of rights only."""
    make, holder = make_once, people["holder"]
    phase = make.phase(holder, people["member"], name="Arithmetic", instructions="Rate each step.")
    (judged := make.phase(name="Geometry")).memberships.create(user=people["expert"], role="expert")
    open_round = make.round(phase)
    assignment = allocation.claim_next(phase=phase, annotator=holder, now=NOW)
    make.round(judged, [assignment.task.solution])
    invitation, secret = invitations.invite(days=7, now=timezone.now(), by=people["admin"])
    Report.objects.create(task=assignment.task, annotator=holder)
    question = Report.objects.create(task=assignment.task, annotator=holder, kind="question")
    selection = make.selection(phase=phase, status="done")
    reward_model = make.reward_model()
    (settings.MODELS_ROOT / reward_model.directory).mkdir(parents=True)
    Session.objects.create(session_key="x", session_data="", expire_date=timezone.now() + timedelta(days=1))
    rows = {
        "phase": phase,
        "round": open_round,
        "assignment": assignment,
        "annotator": holder,
        "token": tokens.make_token(user=holder, name="x")[0],
        "session": BrowserSession.objects.create(session_id="x", user=holder, seen_at=timezone.now()),
        "invitation": invitation,
        "labelling": make.labelling(make.task(), 1, 1),
        "task": assignment.task,
        "question": question,
        "reward-models": reward_model,
        "solution": assignment.task.solution,
        "problem": assignment.task.solution.problem,
        "verification": make.verification(reward_model=reward_model),
        "training-runs": reward_model.training_run,
        "evaluation-runs": make.evaluation_run(reward_model=reward_model),
        "policy-replays": make.policy_replay(reward_model=reward_model),
        "scoring-runs": make.scoring_run(reward_model=reward_model),
        "selections": selection,
        "import": Import.objects.create(file="x.jsonl", name="x.jsonl", file_format="solutions"),
        "publications": make.publication(selection=selection),
        "generations": make.generation(),
        "data-releases": make.released(),
        "benchmark": Benchmark.objects.create(name="Sums"),
    }
    here = {
        "image": Image.TICKETS.sign(kept_image(PNG)),
        "secret": secret,
        "queue": "reference_answer",
        "version": 1,
    }
    return {name: row.pk for name, row in rows.items()} | here


@pytest.fixture(scope="module")
def sessions(people: dict[str, User]) -> dict[str, str]:
    """Each person's session cookie."""
    browsers = {who: browser_of(person) for who, person in people.items()}
    cookies = {who: browser.cookies[settings.SESSION_COOKIE_NAME].value for who, browser in browsers.items()}
    return {"nobody": ""} | cookies


@pytest.fixture
def clients(db: None, ids: dict[str, Any], sessions: dict[str, str]) -> dict[str, APIClient]:
    clients = {who: APIClient() for who in sessions}
    for who, client in clients.items():
        client.cookies[settings.SESSION_COOKIE_NAME] = sessions[who]
    return clients


@pytest.fixture
def superuser_client(clients: dict[str, APIClient]) -> APIClient:
    return clients["superuser"]
