"""/api/runs/{id}/cancel/ and /retry/, of every kind of run."""

import pytest
from django.utils import timezone

pytestmark = pytest.mark.usefixtures("ready")

KINDS = ["train", "score", "select", "publish", "generate"]
FOR_ADMINS = ["select", "publish"]


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def new(make, kind):
    act = [make.training_run, make.scoring_run, make.selection, make.publication, make.generation][KINDS.index(kind)]
    if kind == "publish":
        return lambda status: act(status=status, selection=make.picked(make.solution()))
    return lambda status: act(status=status)


@pytest.fixture
def address():
    return lambda run, act: f"/api/runs/{run.pk}/{act}/"


def test_cancelling_a_queued_run_ends_it(new, address, ml_staff_client):
    body = ml_staff_client.post(address(new("queued"), "cancel")).json()
    assert body["status"] == "cancelled"
    assert body["finished_at"] == body["cancel_requested_at"] is not None


@pytest.mark.every_case
def test_cancelling_a_running_run_stores_the_request(new, address, ml_staff_client):
    run = new("running")
    run.heartbeat_at = timezone.now()
    run.save()
    body = ml_staff_client.post(address(run, "cancel")).json()
    assert (body["status"], body["finished_at"]) == ("running", None)
    assert body["cancel_requested_at"] is not None


@pytest.mark.parametrize("status", ["done", "failed", "cancelled"])
def test_cancelling_a_finished_run_changes_nothing(new, address, ml_staff_client, status):
    body = ml_staff_client.post(address(new(status), "cancel")).json()
    assert (body["status"], body["cancel_requested_at"]) == (status, None)


@pytest.mark.every_case
@pytest.mark.parametrize("status", ["failed", "cancelled"])
def test_retrying_queues_and_enqueues_it_again(
    new, address, kind, ml_staff_client, status, broker, django_capture_on_commit_callbacks
):
    run = new(status)
    run.attempts, run.error, run.cancel_requested_at = 5, "It broke.", timezone.now()
    run.save()
    with django_capture_on_commit_callbacks(execute=True):
        body = ml_staff_client.post(address(run, "retry")).json()
    expected = {"status": "queued", "attempts": 0, "error": "", "finished_at": None, "cancel_requested_at": None}
    assert expected.items() <= body.items()
    assert broker() == [("prm_training.run", kind, str(run.pk))]


@pytest.mark.parametrize("status", ["queued", "running", "done"])
def test_only_failed_and_cancelled_runs_are_retried(new, address, ml_staff_client, status, refused):
    run = new(status)
    refused(ml_staff_client.post(address(run, "retry")), 409, "not_ready")
    run.refresh_from_db()
    assert run.status == status


@pytest.mark.parametrize("kind", FOR_ADMINS, indirect=True)
def test_admins_cancel_and_retry_what_they_may_start(new, address, admin_client):
    run = new("queued")
    assert admin_client.post(address(run, "cancel")).json()["status"] == "cancelled"
    assert admin_client.post(address(run, "retry")).json()["status"] == "queued"


@pytest.mark.parametrize("kind", sorted(set(KINDS) - set(FOR_ADMINS)), indirect=True)
@pytest.mark.parametrize("act", ["cancel", "retry"])
def test_admins_are_refused_what_they_may_not_start(new, address, act, admin_client, refused):
    refused(admin_client.post(address(new("failed"), act)), 403, "permission_denied")


@pytest.mark.parametrize("act", ["cancel", "retry"])
@pytest.mark.parametrize("who", ["annotator", "outsider"])
def test_others_are_refused(new, address, act, who, request, signed_in, refused):
    run = new("queued" if act == "cancel" else "failed")
    refused(signed_in(request.getfixturevalue(who)).post(address(run, act)), 403, "permission_denied")
    assert type(run).objects.get(pk=run.pk).status == run.status


@pytest.mark.parametrize("act", ["cancel", "retry"])
def test_signed_out_is_refused(new, address, act, signed_out_client, refused):
    refused(signed_out_client.post(address(new("failed"), act)), 401, "not_authenticated")
