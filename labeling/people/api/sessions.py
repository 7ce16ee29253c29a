"""The browsers in which somebody is signed in, and how to end that."""

from typing import Any
from uuid import UUID

from django.contrib.auth import update_session_auth_hash
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.generics import get_object_or_404
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.fields import RowSerializer
from labeling.api.permissions import InBrowser, IsAdmin, signed_in
from labeling.models import BrowserSession, User
from labeling.people import sessions


class BrowserSessionSerializer(RowSerializer[BrowserSession]):
    is_this = serializers.SerializerMethodField(help_text="Whether the request comes from it.")

    class Meta:
        model = BrowserSession
        fields = ["id", "started_at", "seen_at", "address", "browser"]

    def get_is_this(self, listed: BrowserSession) -> bool:
        return bool(listed.session_id == self.context["request"].session.session_key)


class TheirSessions(ListModelMixin, GenericViewSet[BrowserSession]):
    """A person's sessions, the last seen first."""

    permission_classes = [IsAdmin]
    serializer_class = BrowserSessionSerializer
    pagination_class = None

    def get_queryset(self) -> QuerySet[Any]:
        open_ones = self.get_person().browser_sessions.filter(session__expire_date__gt=clock.now())
        return open_ones.select_related("user").order_by("-seen_at")

    def get_person(self) -> User:
        return get_object_or_404(User.objects.all(), pk=self.kwargs["person_id"])

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, **_: UUID) -> Response:
        """Ends a session: its browser is signed out."""
        sessions.end(listed=self.get_object(), by=signed_in(request))
        return Response(status=204)


class OwnSessions(TheirSessions):
    """Your own sessions, the last seen first."""

    permission_classes = [InBrowser]

    def get_person(self) -> User:
        return signed_in(self.request)

    @extend_schema(request=None, responses={204: None})
    @action(detail=False, methods=["post"], url_path="end-others")
    def end_others(self, request: Request) -> Response:
        """Signs you out everywhere but here."""
        person = signed_in(request)
        sessions.end_others(person=person, but=request.session.session_key)
        with sessions.listed_again(request.session):
            update_session_auth_hash(request._request, person)
        return Response(status=204)
