"""Permissions of endpoints. Everything starts from being signed in."""

from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from labeling import clock
from labeling.errors import DomainError
from labeling.models import Phase, User

CONFIRMED_AT = "confirmed_at"  # in a session's data


def signed_in(request: Request) -> User:
    """Returns the signed-in user; only for views whose permission requires one."""
    return cast(User, request.user)


class _Is(BasePermission):
    """Requires a property of the user, by its name."""

    fact = ""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(request.user.is_authenticated and getattr(request.user, self.fact))


class InBrowser(_Is):
    """Signed in with a password, not with a token."""

    fact = "is_authenticated"

    def has_permission(self, request: Request, view: APIView) -> bool:
        return super().has_permission(request, view) and request.auth is None


class ConfirmPassword(DomainError, code="confirm_password", status=403):
    """The sign-in is too long ago for what is asked: whoever sits there now must give the password again."""


class SignInAgain(DomainError, code="sign_in_again", status=403):
    """The counterpart of ConfirmPassword for people without a password, who sign in by a provider."""


class Confirmed(BasePermission):
    """Requires a recent password for changes from a browser, which may have been left open."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.method not in SAFE_METHODS:
            check_confirmed(request)
        return True


def is_confirmed(request: HttpRequest) -> bool:
    """True if the password was given lately, in this session."""
    return bool(clock.now().timestamp() - request.session.get(CONFIRMED_AT, 0) <= settings.CONFIRM_AFTER_MINUTES * 60)


def check_confirmed(request: Request) -> None:
    """Raises ConfirmPassword or SignInAgain unless the password was given lately. Requests with a token pass."""
    if request.auth is not None or is_confirmed(request._request):
        return
    if signed_in(request).has_usable_password():
        raise ConfirmPassword("Give your password again to do this.")
    raise SignInAgain("You signed in a while ago. Sign out, and sign in again to do this.")


class _ActsInPhases(_Is):
    """Lets people who run a phase act on it and its rows; all staff may read."""

    def has_object_permission(self, request: Request, view: APIView, row: Any) -> bool:
        phase_id = row.pk if isinstance(row, Phase) else getattr(row, "phase_id", None)
        if request.method in SAFE_METHODS or phase_id is None:
            return True
        if not Phase.objects.run_by(signed_in(request)).filter(pk=phase_id).exists():
            phase = Phase.objects.get(pk=phase_id)
            raise PermissionDenied(f"You are not among the ML staff of “{phase}”. An admin can add you.")
        return True


class IsStaff(_ActsInPhases):
    """Admins and ML staff."""

    fact = "sees_everything"


class IsAdmin(_Is):
    fact = "is_admin"


class IsExpert(_Is):
    """Admins, and experts in a phase."""

    fact = "is_expert"


class IsMlStaff(_ActsInPhases):
    fact = "is_ml_staff"


class _Reads(BasePermission):
    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.method in SAFE_METHODS


IsStaffOrExpert: Any = IsStaff | IsExpert
AdminWrites = IsAdmin | (IsStaff & _Reads)
MlStaffWrites = IsMlStaff | (IsStaff & _Reads)
