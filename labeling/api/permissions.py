"""Who may call what. Everything starts from being signed in."""

from typing import cast

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from labeling.models import User


def signed_in(request: Request) -> User:
    """The signed-in user; only for views behind a permission that demands one."""
    return cast(User, request.user)


class IsStaff(BasePermission):
    """Admins and ML staff."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(request.user.is_authenticated and signed_in(request).sees_everything)


class IsAdmin(BasePermission):
    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(request.user.is_authenticated and signed_in(request).is_admin)


class IsExpert(BasePermission):
    """Admins, and experts of a phase."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(request.user.is_authenticated and signed_in(request).is_expert)


class IsStaffOrExpert(BasePermission):
    def has_permission(self, request: Request, view: APIView) -> bool:
        return any(each().has_permission(request, view) for each in (IsStaff, IsExpert))


class IsMlStaff(BasePermission):
    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(request.user.is_authenticated and signed_in(request).is_ml_staff)


class AdminWrites(BasePermission):
    """Staff may read; only admins may change."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        wanted = IsStaff if request.method in SAFE_METHODS else IsAdmin
        return wanted().has_permission(request, view)


class MlStaffWrites(BasePermission):
    """Staff may read; only ML staff may change."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        wanted = IsStaff if request.method in SAFE_METHODS else IsMlStaff
        return wanted().has_permission(request, view)
