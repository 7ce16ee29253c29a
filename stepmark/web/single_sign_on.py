"""Signing in by OpenID Connect: allauth talks to the provider, and whoever it vouches for is let in here."""

import logging
from collections.abc import Callable
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.openid_connect import urls, views
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from requests import RequestException

from labeling.api import permissions
from labeling.models import User
from labeling.people import accounts
from labeling.people.api import session

FAILED, UNKNOWN, BAD_NAME = "/sign-in?sso=failed", "/sign-in?sso=unknown", "/sign-in?sso=name"
CONNECT = "/account"
SHARED = "/?shared"  # the “next” of a sign-in on a shared computer
logger = logging.getLogger(__name__)


def _or_failed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Wraps allauth's view: a provider that is away, or breaks the standard, is no crash."""

    def act(request: HttpRequest, provider_id: str) -> HttpResponse:
        try:
            return view(request, provider_id)
        except (RequestException, AttributeError, ImproperlyConfigured, LookupError, TypeError, ValueError):
            logger.exception("The OpenID provider's answer can't be used.")
            return redirect(FAILED)

    return act


def login(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Starts a sign-in. Refuses to connect accounts if another site led here: the provider's may be somebody else's."""
    is_from_here = request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
    if request.GET.get("process") == "connect" and not is_from_here:
        return redirect(f"{CONNECT}?sso=refused")
    return _or_failed(views.login)(request, provider_id)


urlpatterns = [
    path("<provider_id>/login/", login),
    path("<provider_id>/login/callback/", _or_failed(views.callback)),
    *urls.urlpatterns,  # which allauth looks for by name
]


class Adapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Takes over from allauth once the provider has said who it is: the rest is as after a password.

    A second factor is the provider's own business. Of its data about the person, only their id is kept.
    """

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Takes only the user name, or else an e-mail address that the provider has verified."""
        said = [data.get("username"), *(each.email for each in sociallogin.email_addresses if each.verified)]
        person: User = sociallogin.user
        person.username = next((each for each in said if each and isinstance(each, str)), "")
        return person

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        sociallogin.account.extra_data = {}
        if sociallogin.is_existing:
            sociallogin.account.save(update_fields=["extra_data"])
        if sociallogin.state.get("process") == "connect":
            raise ImmediateHttpResponse(redirect(_connect(request, sociallogin)))
        person = sociallogin.user if sociallogin.is_existing else _first_time(request, sociallogin)
        if person is None or not person.is_active:
            raise ImmediateHttpResponse(redirect(UNKNOWN))
        session.let_in(request, person, is_shared=sociallogin.state.get("next") == SHARED)
        raise ImmediateHttpResponse(redirect("/"))

    def on_authentication_error(self, request: HttpRequest, provider: Any, *_: Any, **__: Any) -> None:
        raise ImmediateHttpResponse(redirect(FAILED))


def _connect(request: HttpRequest, sociallogin: SocialLogin) -> str:
    """Lets the signed-in person sign in by the provider from now on. Returns where to go on."""
    if not request.user.is_authenticated or sociallogin.is_existing or not permissions.is_confirmed(request):
        return f"{CONNECT}?sso=refused"
    sociallogin.connect(request, request.user)
    return CONNECT


@transaction.atomic
def _first_time(request: HttpRequest, sociallogin: SocialLogin) -> User | None:
    """The account for a first sign-in: the one of that name, if it has no password and no other way in; else a new one,
    if the name is free and the installation makes them; else None.
    """
    name = _name(sociallogin.user)
    person = User.objects.select_for_update().filter(username=name).first()
    if person is None:
        person = _new(name) if settings.OIDC_MAKES_ACCOUNTS else None
    elif person.has_usable_password() or person.socialaccount_set.exists():  # type: ignore[attr-defined]  # allauth's
        return None
    if person is not None and person.is_active:
        sociallogin.connect(request, person)
    return person


def _name(said: User) -> str:
    """The user name from the provider, normalised. Redirects to BAD_NAME if it is not valid here."""
    try:
        name = User.normalize_username(said.username)
        return str(User._meta.get_field("username").clean(name, None))
    except ValidationError as error:
        raise ImmediateHttpResponse(redirect(BAD_NAME)) from error


def _new(name: str) -> User | None:
    """An annotator in no phase; None if the name, or one that looks like it, is taken."""
    try:
        User.objects.check_is_free(name)
        return accounts.add_person(username=name, password=None)
    except (ValidationError, IntegrityError):  # the latter if somebody took it meanwhile
        return None
