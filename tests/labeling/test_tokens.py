"""/api/tokens/: what scripts sign in with."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from labeling import tokens
from labeling.models import ApiToken, Change

ADDRESS = "/api/tokens/"


@pytest.fixture
def secret(admin):
    return tokens.make(user=admin, name="export")[1]


@pytest.fixture
def script(secret):
    """No cookie, and CSRF as strict as it is in production."""
    client = APIClient(enforce_csrf_checks=True)
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    return client


def test_it_works(admin, admin_client):
    made = admin_client.post(ADDRESS, {"name": "export"})
    assert made.status_code == 201
    token = ApiToken.objects.get(user=admin)
    assert made.json()["secret"].startswith("stepmark_")
    assert token.secret_hash == tokens.hashed(made.json()["secret"])
    (row,) = admin_client.get(ADDRESS).json()
    assert row == {"id": str(token.pk), "name": "export", "created_at": row["created_at"], "last_used_at": None}


@pytest.mark.parametrize("scheme", ["Token", "Bearer", "bearer"])
def test_a_script_reads_and_writes_without_csrf(secret, scheme):
    client = APIClient(enforce_csrf_checks=True)
    client.credentials(HTTP_AUTHORIZATION=f"{scheme} {secret}")
    assert client.get("/api/people/").status_code == 200
    assert client.post("/api/phases/", {"name": "By script"}).status_code == 201
    assert ApiToken.objects.get().last_used_at is not None


def test_a_script_may_do_what_its_person_may(annotator, refused):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {tokens.make(user=annotator, name='x')[1]}")
    assert client.get("/api/phases/").status_code == 200
    refused(client.get("/api/people/"), 403, "permission_denied")


def test_a_browser_still_needs_csrf(admin, refused):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(admin)
    refused(client.post("/api/phases/", {"name": "x"}), 403, "permission_denied")


def test_its_use_is_written_down_once_a_minute(secret, now, django_assert_num_queries):
    tokens.user_of(secret=secret, now=now)
    tokens.user_of(secret=secret, now=now + timedelta(seconds=30))
    assert ApiToken.objects.get().last_used_at == now
    tokens.user_of(secret=secret, now=now + timedelta(seconds=90))
    assert ApiToken.objects.get().last_used_at == now + timedelta(seconds=90)


@pytest.mark.parametrize("header", ["Token", "Token nonsense", "Bearer ", "Token a b", "Token \u00e9"])
def test_an_unknown_secret_is_refused(admin, header, refused):
    refused(APIClient().get("/api/people/", HTTP_AUTHORIZATION=header), 401, "invalid_token")


def test_what_is_revoked_is_refused(admin_client, script, refused):
    token = ApiToken.objects.get()
    assert admin_client.delete(f"{ADDRESS}{token.pk}/").status_code == 204
    refused(script.get("/api/people/"), 401, "invalid_token")
    assert list(Change.objects.order_by("at").values_list("act", "name")) == [
        ("make", "export of alma"),
        ("revoke", "export of alma"),
    ]


def test_who_is_deactivated_is_refused(admin, script, refused):
    type(admin).objects.filter(pk=admin.pk).update(is_active=False)
    refused(script.get("/api/people/"), 401, "invalid_token")


def test_a_token_makes_no_tokens(script, signed_out_client, refused):
    refused(script.get(ADDRESS), 403, "permission_denied")
    refused(script.post(ADDRESS, {"name": "another"}), 403, "permission_denied")
    refused(signed_out_client.get(ADDRESS), 401, "not_authenticated")


def test_anybody_elses_is_not_found(secret, superuser_client, refused):
    refused(superuser_client.delete(f"{ADDRESS}{ApiToken.objects.get().pk}/"), 404, "not_found")
    assert superuser_client.get(ADDRESS).json() == []


def test_a_name_twice_is_refused(secret, admin_client, refused):
    refused(admin_client.post(ADDRESS, {"name": "export"}), 409, "name_taken")


@pytest.mark.parametrize("body", [{}, {"name": ""}, {"name": "x" * 101}, {"name": "a\0"}])
def test_a_bad_body_is_refused(body, admin_client, refused):
    refused(admin_client.post(ADDRESS, body), 400, "invalid")


def test_the_secret_is_nowhere(secret):
    assert secret not in str(list(ApiToken.objects.values())) + str(list(Change.objects.values()))
    assert timezone.now() > ApiToken.objects.get().created_at
