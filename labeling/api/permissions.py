"""Who may call what. Everything starts from being signed in."""

from typing import Any, cast

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from labeling.models import User


def signed_in(request: Request) -> User:
    """The signed-in user; only for views whose permission requires one."""
    return cast(User, request.user)


class _Is(BasePermission):
    """What a user has to be: the name of a property of users."""

    fact = ""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(request.user.is_authenticated and getattr(request.user, self.fact))


class InBrowser(_Is):
    """Signed in with a password, not with a token."""

    fact = "is_authenticated"

    def has_permission(self, request: Request, view: APIView) -> bool:
        return super().has_permission(request, view) and request.auth is None


class IsStaff(_Is):
    """Admins and ML staff."""

    fact = "sees_everything"


class IsAdmin(_Is):
    fact = "is_admin"


class IsExpert(_Is):
    """Admins, and experts in a phase."""

    fact = "is_expert"


class IsMlStaff(_Is):
    fact = "is_ml_staff"


class _Reads(BasePermission):
    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.method in SAFE_METHODS


IsStaffOrExpert: Any = IsStaff | IsExpert
AdminWrites = IsAdmin | (IsStaff & _Reads)
MlStaffWrites = IsMlStaff | (IsStaff & _Reads)
