"""/api/tokens/: tokens with which scripts sign in."""

from datetime import timedelta
from unittest.mock import ANY

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from labeling.models import ApiToken, Change, Phase
from labeling.people import tokens

ADDRESS = "/api/tokens/"


@pytest.fixture
def secret(admin):
    return tokens.make_token(user=admin, name="export")[1]


@pytest.fixture
def script(secret):
    """Returns a client without a cookie, with CSRF checks as in production."""
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
    unlimited = {"is_read_only": False, "expires_at": ANY, "last_used_at": None}
    assert timedelta(days=89) < token.expires_at - timezone.now() < timedelta(days=90)
    assert row == {"id": str(token.pk), "name": "export", "created_at": row["created_at"]} | unlimited


@pytest.mark.parametrize("scheme", ["Token", "Bearer", "bearer"])
def test_a_script_reads_and_writes_without_csrf(secret, scheme):
    client = APIClient(enforce_csrf_checks=True)
    client.credentials(HTTP_AUTHORIZATION=f"{scheme} {secret}")
    assert client.get("/api/people/").status_code == 200
    assert client.post("/api/phases/", {"name": "By script"}).status_code == 201
    assert ApiToken.objects.get().last_used_at is not None


def test_a_script_may_do_what_its_person_may(annotator, refused):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {tokens.make_token(user=annotator, name='x')[1]}")
    assert client.get("/api/phases/").status_code == 200
    refused(client.get("/api/people/"), 403, "permission_denied")


def test_a_browser_still_needs_csrf(admin, refused):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(admin)
    refused(client.post("/api/phases/", {"name": "x"}), 403, "permission_denied")


def test_a_tokens_use_is_recorded_once_a_minute(secret, now, django_assert_num_queries):
    tokens.find(secret=secret, now=now)
    tokens.find(secret=secret, now=now + timedelta(seconds=30))
    assert ApiToken.objects.get().last_used_at == now
    tokens.find(secret=secret, now=now + timedelta(seconds=90))
    assert ApiToken.objects.get().last_used_at == now + timedelta(seconds=90)


@pytest.mark.parametrize("header", ["Token", "Token nonsense", "Bearer ", "Token a b", "Token \u00e9"])
def test_an_unknown_secret_is_refused(admin, header, refused):
    refused(APIClient().get("/api/people/", HTTP_AUTHORIZATION=header), 401, "invalid_token")


def test_a_revoked_token_is_refused(admin_client, script, refused):
    token = ApiToken.objects.get()
    assert admin_client.delete(f"{ADDRESS}{token.pk}/").status_code == 204
    refused(script.get("/api/people/"), 401, "invalid_token")
    assert list(Change.objects.order_by("at").values_list("act", "name")) == [
        ("make", "export of alma"),
        ("revoke", "export of alma"),
    ]


def test_a_deactivated_persons_token_is_refused(admin, script, refused):
    type(admin).objects.filter(pk=admin.pk).update(is_active=False)
    refused(script.get("/api/people/"), 401, "invalid_token")


def test_a_token_makes_no_tokens(script, signed_out_client, refused):
    refused(script.get(ADDRESS), 403, "permission_denied")
    refused(script.post(ADDRESS, {"name": "another"}), 403, "permission_denied")
    refused(signed_out_client.get(ADDRESS), 401, "not_authenticated")


def script_with(secret):
    client = APIClient(enforce_csrf_checks=True)
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    return client


def test_a_read_only_token_reads_and_changes_nothing(admin_client, refused):
    made = admin_client.post(ADDRESS, {"name": "look", "is_read_only": True}).json()
    script = script_with(made["secret"])
    assert script.get("/api/people/").status_code == 200
    for method in ("post", "put", "patch", "delete"):
        refused(getattr(script, method)("/api/phases/", {"name": "x"}), 403, "read_only_token")
    assert not Phase.objects.exists()
    assert (made["is_read_only"], ApiToken.objects.get().is_read_only) == (True, True)


def test_an_expired_token_is_refused(admin_client, now, refused):
    made = admin_client.post(ADDRESS, {"name": "month", "days": 30}).json()
    token = ApiToken.objects.get()
    assert timedelta(days=29, hours=23) < token.expires_at - timezone.now() < timedelta(days=30)
    assert tokens.find(secret=made["secret"], now=token.expires_at - timedelta(seconds=1)) == token
    with pytest.raises(tokens.InvalidToken, match="expired"):
        tokens.find(secret=made["secret"], now=token.expires_at)
    ApiToken.objects.update(expires_at=timezone.now())
    refused(script_with(made["secret"]).get("/api/people/"), 401, "invalid_token")
    assert len(admin_client.get(ADDRESS).json()) == 1  # it is listed until it is revoked


def test_anybody_elses_is_not_found(secret, superuser_client, refused):
    refused(superuser_client.delete(f"{ADDRESS}{ApiToken.objects.get().pk}/"), 404, "not_found")
    assert superuser_client.get(ADDRESS).json() == []


def test_a_name_twice_is_refused(secret, admin_client, refused):
    refused(admin_client.post(ADDRESS, {"name": "export"}), 409, "name_taken")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "x" * 101},
        {"name": "a\0"},
        *[{"name": "x", "days": days} for days in (0, 3651, "x")],
        {"name": "x", "is_read_only": 7},
    ],
)
def test_a_bad_body_is_refused(body, admin_client, refused):
    refused(admin_client.post(ADDRESS, body), 400, "invalid")


def test_the_secret_is_nowhere(secret):
    assert secret not in str(list(ApiToken.objects.values())) + str(list(Change.objects.values()))
    assert timezone.now() > ApiToken.objects.get().created_at
