"""Permissions of endpoints. Everything starts from being signed in."""

from typing import Any, cast

from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from labeling.models import Phase, User


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
