"""/api/phases/{id}/members/: who may label in a phase."""

import pytest


@pytest.fixture
def address(phase):
    return f"/api/phases/{phase.pk}/members/"


def members(phase):
    return set(phase.memberships.values_list("user__username", flat=True))


def test_it_works(address, phase, outsider, admin_client):
    assert admin_client.post(address, {"usernames": ["olga"]}).status_code == 204
    assert members(phase) == {"ada", "ben", "olga"}


def test_twice_changes_nothing(address, phase, admin_client):
    for _ in range(2):
        assert admin_client.post(address, {"usernames": ["ada", "ben", "ada"]}).status_code == 204
    assert members(phase) == {"ada", "ben"}


def test_nobody_is_fine(address, phase, admin_client):
    assert admin_client.post(address, {"usernames": []}).status_code == 204
    assert members(phase) == {"ada", "ben"}


@pytest.mark.parametrize("who", ["annotator", "outsider", "ml_staff"])
def test_others_are_refused(address, phase, who, request, signed_in, outsider, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.post(address, {"usernames": ["olga"]}), 403, "permission_denied")
    assert members(phase) == {"ada", "ben"}


def test_signed_out_is_refused(address, signed_out_client, refused):
    refused(signed_out_client.post(address, {"usernames": ["olga"]}), 403, "not_authenticated")


@pytest.mark.parametrize(
    "body",
    [{}, {"usernames": None}, {"usernames": "ada"}, *({"usernames": ["ada", odd]} for odd in (None, 7, {}, [], "a\0"))],
)
def test_a_bad_body_is_refused(address, admin_client, refused, body):
    refused(admin_client.post(address, body), 400, "invalid")


def test_one_unknown_name_lets_nobody_in(address, phase, outsider, admin_client, refused):
    body = refused(admin_client.post(address, {"usernames": ["olga", "nobody"]}), 400, "invalid")
    assert "nobody" in body["detail"]
    assert members(phase) == {"ada", "ben"}


def test_an_inactive_person_is_refused(address, outsider, admin_client, refused):
    outsider.is_active = False
    outsider.save()
    refused(admin_client.post(address, {"usernames": ["olga"]}), 400, "invalid")
