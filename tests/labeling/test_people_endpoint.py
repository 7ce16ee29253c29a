"""/api/people/: who exists, for admins."""

import pytest

from labeling.models import User

ADDRESS = "/api/people/"
NEW = {"username": "petra", "password": "four steps to gold", "role": "ml_staff"}


def test_it_works(admin, admin_client):
    answer = admin_client.post(ADDRESS, NEW)
    assert answer.status_code == 201
    person = User.objects.get(username="petra")
    expected = {"id": str(person.pk), "username": "petra", "role": "ml_staff", "is_active": True}
    assert answer.json() == expected
    assert person.check_password(NEW["password"])
    assert not person.is_superuser
    assert not person.is_staff
    assert [row["username"] for row in admin_client.get(ADDRESS).json()["results"]] == ["alma", "petra"]


def test_the_role_is_annotator_unless_said(admin_client):
    assert admin_client.post(ADDRESS, NEW | {"role": "annotator"}).json()["role"] == "annotator"
    without = {"username": "otto", "password": NEW["password"]}
    assert admin_client.post(ADDRESS, without).json()["role"] == "annotator"


@pytest.mark.parametrize("who", ["annotator", "outsider", "ml_staff"])
def test_others_are_refused(who, request, signed_in, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.get(ADDRESS), 403, "permission_denied")
    refused(client.post(ADDRESS, NEW), 403, "permission_denied")
    assert not User.objects.filter(username="petra").exists()


def test_signed_out_is_refused(signed_out_client, refused):
    refused(signed_out_client.post(ADDRESS, NEW), 403, "not_authenticated")


def test_twice_is_refused(admin_client, refused):
    admin_client.post(ADDRESS, NEW)
    body = refused(admin_client.post(ADDRESS, NEW), 400, "invalid")
    assert "username" in body["errors"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"username": ""}, "username"),
        ({"username": "a b/c"}, "username"),
        ({"username": "a\0"}, "username"),
        ({"username": "x" * 151}, "username"),
        ({"password": "short"}, "password"),
        ({"password": "password1"}, "password"),
        ({"password": None}, "password"),
        ({"role": "king"}, "role"),
    ],
)
def test_a_bad_body_is_refused(admin_client, refused, change, field):
    body = refused(admin_client.post(ADDRESS, NEW | change), 400, "invalid")
    assert list(body["errors"]) == [field]
    assert body["detail"].startswith(f"{field}: ")


def test_nobody_makes_a_superuser(admin_client):
    admin_client.post(ADDRESS, NEW | {"is_superuser": True, "is_staff": True, "is_active": False})
    person = User.objects.get(username="petra")
    assert (person.is_superuser, person.is_staff, person.is_active) == (False, False, True)


def test_queries_do_not_grow(admin_client, make, django_assert_num_queries):
    for _ in range(5):
        make.user()
    with django_assert_num_queries(4):  # session, user, count, page
        assert len(admin_client.get(ADDRESS).json()["results"]) == 6
