"""Personal data: exported, pseudonymised, erased."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.permissions import Confirmed, InBrowser, IsAdmin, signed_in
from labeling.api.requests import body
from labeling.models import User
from labeling.people import erasure, personal_data

LINES = "application/x-ndjson"
BY_NAME = OpenApiExample("Ada", {"username": "ada"}, request_only=True)


class ConfirmationSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(help_text="The person's name, so that nobody is erased by mistake.")


class PseudonymSerializer(serializers.Serializer[Any]):
    username = serializers.CharField(read_only=True, help_text="The person's name from now on.")


class PersonalData(GenericViewSet[User]):
    """The data of one person, for admins who answer a request about it. None of it can be undone."""

    permission_classes = [IsAdmin, Confirmed]
    serializer_class = ConfirmationSerializer

    def get_queryset(self) -> QuerySet[User]:
        return User.objects.exclude(pk=erasure.NOBODY)

    @extend_schema(responses={(200, LINES): OpenApiTypes.STR})
    @action(detail=True)
    def data(self, request: Request, pk: UUID) -> StreamingHttpResponse:
        """Exports everything kept about the person, as JSON lines that they may be given."""
        return _file_of(self.get_object(), by=signed_in(request))

    @extend_schema(request=ConfirmationSerializer, responses=PseudonymSerializer, examples=[BY_NAME])
    @action(detail=True, methods=["post"])
    def pseudonymise(self, request: Request, pk: UUID) -> Response:
        """Puts a random name for theirs, everywhere, and deletes the rest; their labels stay together under it."""
        person, by = self._confirmed(request), signed_in(request)
        return Response({"username": erasure.pseudonymise(person=person, now=clock.now(), by=by)})

    @extend_schema(request=ConfirmationSerializer, responses={204: None}, examples=[BY_NAME])
    @action(detail=True, methods=["post"])
    def erase(self, request: Request, pk: UUID) -> Response:
        """Deletes the person; their labels stay, and are nobody's."""
        erasure.erase(person=self._confirmed(request), now=clock.now(), by=signed_in(request))
        return Response(status=204)

    def _confirmed(self, request: Request) -> User:
        """Returns the person, whose name the body must repeat."""
        person = self.get_object()
        if body(ConfirmationSerializer, request)["username"] != person.username:
            raise serializers.ValidationError({"username": "This is not the person's name."})
        return person


class OwnDataView(APIView):
    """The data of the signed-in person. A token can't read it: that takes a signed-in browser."""

    permission_classes = [InBrowser]

    @extend_schema(responses={(200, LINES): OpenApiTypes.STR})
    def get(self, request: Request) -> StreamingHttpResponse:
        """Exports everything kept about you, as JSON lines."""
        return _file_of(signed_in(request), by=signed_in(request))


def _file_of(person: User, *, by: User) -> StreamingHttpResponse:
    personal_data.record_export(person=person, by=by)
    disposition = {"Content-Disposition": f'attachment; filename="person-{person.pk}.jsonl"'}
    return StreamingHttpResponse(personal_data.lines(person), content_type=LINES, headers=disposition)
