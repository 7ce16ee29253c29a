"""/sso/: signing in by OpenID Connect, with a small provider that answers on a socket."""

import base64
import hashlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from django.conf import settings as all_settings
from django.urls import include, path
from rest_framework.test import APIClient

from labeling.models import BrowserSession, Change, User
from stepmark import urls
from stepmark.web.single_sign_on import SHARED

KEY = "a secret that the provider signs with, and keeps to itself"
urlpatterns = [path("sso/", include("stepmark.web.single_sign_on")), *urls.urlpatterns]


class Provider(ThreadingHTTPServer):
    """A provider that signs in the person `claims`, and insists on PKCE's proof."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.claims = {"sub": "248289761001", "preferred_username": "ada", "email": "ada@example.org"}
        self.challenge = ""
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        provider = self.server
        if self.path.endswith("/openid-configuration"):
            places = {name: f"{provider.issuer}/{name}" for name in ("authorize", "token", "userinfo", "jwks")}
            self.answer(
                {
                    "issuer": provider.issuer,
                    "authorization_endpoint": places["authorize"],
                    "token_endpoint": places["token"],
                    "userinfo_endpoint": places["userinfo"],
                    "jwks_uri": places["jwks"],
                    "token_endpoint_auth_methods_supported": ["client_secret_basic"],
                }
            )
        else:
            self.answer(provider.claims)

    def do_POST(self) -> None:
        given = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        proof = hashlib.sha256(given["code_verifier"][0].encode()).digest()
        is_proven = base64.urlsafe_b64encode(proof).decode().rstrip("=") == self.server.challenge
        if not is_proven or given["code"] != ["good"]:
            self.answer({"error": "invalid_grant"}, 400)
            return
        now = int(time.time())
        claims = self.server.claims | {"iss": self.server.issuer, "aud": "stepmark", "iat": now, "exp": now + 60}
        self.answer({"access_token": "x", "token_type": "Bearer", "id_token": jwt.encode(claims, KEY)})

    def answer(self, body: dict, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: object) -> None:
        """Logs nothing."""


@pytest.fixture
def provider(settings):
    server = Provider()
    app = all_settings.OIDC_APP | {"client_id": "stepmark", "secret": "s", "settings": {"server_url": server.issuer}}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}}
    settings.ROOT_URLCONF = __name__
    yield server
    server.shutdown()
    server.server_close()


def through(provider, browser, *, code="good", state=None, **query):
    """Goes to the provider and back. Returns the final address."""
    away = browser.get("/sso/oidc/login/", query)
    asked = parse_qs(urlsplit(away["Location"]).query)
    assert away["Location"].startswith(f"{provider.issuer}/authorize")
    assert asked["redirect_uri"] == ["http://testserver/sso/oidc/login/callback/"]
    provider.challenge = asked["code_challenge"][0]
    back = browser.get("/sso/oidc/login/callback/", {"code": code, "state": state or asked["state"][0]})
    assert back.status_code == 302, back.content
    return back["Location"]


def name_in(browser):
    user = browser.get("/api/session/").json()["user"]
    return user and user["username"]


def test_an_account_without_a_password_is_opened_by_its_name(provider, annotator):
    annotator.set_unusable_password()
    annotator.save()
    for browser in (APIClient(), APIClient()):
        assert through(provider, browser) == "/"
        assert name_in(browser) == "ada"
    assert BrowserSession.objects.filter(user=annotator).count() == 2
    assert Change.objects.filter(act="sign in", by=annotator).count() == 2
    linked = annotator.socialaccount_set.get()
    assert (linked.uid, linked.extra_data) == ("248289761001", {})
    assert not User.objects.exclude(email="").exists()


def test_a_name_alone_opens_no_account_that_has_a_password(provider, annotator):
    annotator.set_password("correct horse")
    annotator.save()
    browser = APIClient()
    assert through(provider, browser) == "/sign-in?sso=unknown"
    assert name_in(browser) is None


def test_an_account_with_a_password_is_connected_by_its_owner(provider, annotator, signed_in):
    annotator.set_password("correct horse")
    annotator.save()
    assert through(provider, signed_in(annotator), process="connect") == "/account"
    browser = APIClient()
    assert through(provider, browser) == "/"
    assert name_in(browser) == "ada"


def test_an_identity_is_connected_with_one_account_only(provider, annotator, second_annotator, signed_in):
    annotator.set_unusable_password()
    annotator.save()
    through(provider, APIClient())
    assert through(provider, signed_in(second_annotator), process="connect") == "/account?sso=refused"


@pytest.mark.parametrize(("makes", "ends"), [(False, "/sign-in?sso=unknown"), (True, "/")])
def test_strangers_get_an_account_only_where_the_installation_makes_them(db, provider, settings, makes, ends):
    settings.OIDC_MAKES_ACCOUNTS = makes
    assert through(provider, APIClient()) == ends
    assert [*User.objects.values_list("username", "role", "is_superuser")] == [("ada", "annotator", False)] * makes


@pytest.mark.parametrize("name", [None, "", "Ada Lovelace", "a\0da", "ﷺ" * 20, 7, ["ada"]])
def test_a_name_that_nobody_can_have_here_is_refused(db, provider, settings, name):
    settings.OIDC_MAKES_ACCOUNTS = True
    provider.claims |= {"preferred_username": name, "email": ""}
    assert through(provider, APIClient()) == "/sign-in?sso=name"
    assert not User.objects.exists()


def test_a_verified_address_is_the_name_if_there_is_no_other(db, provider, settings):
    settings.OIDC_MAKES_ACCOUNTS = True
    del provider.claims["preferred_username"]
    assert through(provider, APIClient()) == "/sign-in?sso=name"
    provider.claims["email_verified"] = True
    assert through(provider, APIClient()) == "/"
    assert User.objects.get().username == "ada@example.org"


def test_a_name_is_looked_up_as_it_is_stored(provider, annotator):
    annotator.set_unusable_password()
    annotator.save()
    provider.claims |= {"preferred_username": "ａｄａ"}  # of full width
    assert through(provider, APIClient()) == "/"
    assert annotator.socialaccount_set.count() == 1


def test_a_deactivated_person_stays_out(provider, annotator):
    annotator.set_unusable_password()
    annotator.save()
    through(provider, APIClient())
    User.objects.update(is_active=False)
    assert through(provider, APIClient()) == "/sign-in?sso=unknown"


@pytest.mark.parametrize("forged", [{"code": "bad"}, {"state": "of-somebody-else"}])
def test_forged_answers_sign_nobody_in(forged, provider, annotator):
    annotator.set_unusable_password()
    annotator.save()
    browser = APIClient()
    assert through(provider, browser, **forged) == "/sign-in?sso=failed"
    assert name_in(browser) is None


@pytest.mark.parametrize("claims", [{"email": 7}, {"sub": ""}, {"sub": "x" * 255}])
def test_claims_that_nobody_can_use_are_no_crash(claims, provider, annotator):
    provider.claims |= claims
    assert through(provider, APIClient()) == "/sign-in?sso=failed"


def test_a_provider_that_is_away_is_no_crash(db, provider):
    provider.shutdown()
    provider.server_close()
    assert APIClient().get("/sso/oidc/login/")["Location"] == "/sign-in?sso=failed"


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_another_sites_link_connects_nothing(site, provider, annotator, signed_in):
    headers = {"Sec-Fetch-Site": site}
    answer = signed_in(annotator).get("/sso/oidc/login/", {"process": "connect"}, headers=headers)
    assert answer["Location"] == "/account?sso=refused"


@pytest.mark.parametrize("is_shared", [True, False])
def test_a_shared_computer_is_remembered_through_the_sign_in(is_shared, provider, annotator):
    annotator.set_unusable_password()
    annotator.save()
    browser = APIClient()
    assert through(provider, browser, **({"next": SHARED} if is_shared else {})) == "/"
    assert browser.get("/api/session/").json()["is_shared"] == is_shared


def test_without_a_provider_single_sign_on_is_not_offered(client, db):
    assert client.get("/api/session/ways/").json()["single_sign_on"] == ""
