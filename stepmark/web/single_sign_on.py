"""Signing in by OpenID Connect: allauth talks to the provider, and whoever it vouches for is let in here."""

from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect

from labeling.api import permissions
from labeling.models import User
from labeling.people import accounts
from labeling.people.api import session

FAILED, UNKNOWN, BAD_NAME = "/sign-in?sso=failed", "/sign-in?sso=unknown", "/sign-in?sso=name"
CONNECT = "/account"


class Adapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Ends allauth's way where the provider has said who it is: what follows is as after a password.

    A second factor is the provider's own business. Of what it says about the person, nothing but their id is kept.
    """

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        sociallogin.account.extra_data = {}
        if sociallogin.is_existing:
            sociallogin.account.save(update_fields=["extra_data"])
        if sociallogin.state.get("process") == "connect":
            raise ImmediateHttpResponse(redirect(_connect(request, sociallogin)))
        person = sociallogin.user if sociallogin.is_existing else _first_time(request, sociallogin)
        if person is None or not person.is_active:
            raise ImmediateHttpResponse(redirect(UNKNOWN))
        session.let_in(request, person)
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
    """The account of whoever comes for the first time: one of that name that waits for its owner, without a password or
    another way in; else a new one, if the installation makes them; else None.
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
    """The name by which the provider calls them, or their address. Sends them back if nobody can be called so here."""
    try:
        name = User.normalize_username(said.username or said.email)
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
