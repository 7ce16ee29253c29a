"""/api/rounds/{id}/close/: closes a round, once."""

import pytest

from labeling.models import Change


@pytest.fixture
def address(open_round):
    return f"/api/rounds/{open_round.pk}/close/"


@pytest.fixture
def expert(make, phase):
    """An expert in this phase."""
    person = make.user()
    phase.memberships.create(user=person, role="expert")
    return person


def test_it_works(address, open_round, admin_client):
    answer = admin_client.post(address)
    assert answer.status_code == 200
    open_round.refresh_from_db()
    assert (open_round.status, open_round.closed_at is not None) == ("closed", True)
    assert answer.json()["status"] == "closed"
    assert answer.json()["task_count"] == 3


def test_ml_staff_who_publish_close_it_too(address, open_round, ml_staff, ml_staff_client):
    assert ml_staff_client.post(address).json()["status"] == "closed"
    assert Change.objects.get(act="close").by == ml_staff


def test_twice_changes_nothing(address, open_round, admin_client):
    first = admin_client.post(address).json()
    assert admin_client.post(address).json() == first


@pytest.mark.parametrize("who", ["annotator", "outsider", "expert"])
def test_others_are_refused(address, open_round, who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).post(address), 403, "permission_denied")
    open_round.refresh_from_db()
    assert open_round.status == "open"


def test_signed_out_is_refused(address, signed_out_client, refused):
    refused(signed_out_client.post(address), 401, "not_authenticated")


def test_an_unknown_round_is_not_found(phase, admin_client, refused):
    refused(admin_client.post(f"/api/rounds/{phase.pk}/close/"), 404, "not_found")
