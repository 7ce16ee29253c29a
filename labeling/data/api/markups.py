"""Changes the markup of a source's texts."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling.api.permissions import IsStaff, signed_in
from labeling.api.requests import body
from labeling.data import markups
from labeling.models import Markup


class SourceMarkupSerializer(serializers.Serializer[Any]):
    source = serializers.CharField(max_length=100)  # type: ignore[assignment]  # Field has an attribute of this name
    markup = serializers.ChoiceField(choices=Markup.choices, required=False, help_text="Of steps.")
    statement_markup = serializers.ChoiceField(choices=Markup.choices, required=False)


class MarkupChangedSerializer(serializers.Serializer[Any]):
    """The numbers of texts that got another markup."""

    solutions = serializers.IntegerField()
    problems = serializers.IntegerField()


class MarkupView(APIView):
    permission_classes = [IsStaff]

    @extend_schema(request=SourceMarkupSerializer, responses={200: MarkupChangedSerializer})
    def post(self, request: Request) -> Response:
        """Changes how a source's steps, and the problems they solve, are shown; their texts stay as they are."""
        asked = body(SourceMarkupSerializer, request)
        shown = {"steps": asked.get("markup", ""), "statements": asked.get("statement_markup", "")}
        changed = markups.change_markup(source=asked["source"], **shown, by=signed_in(request))
        return Response(MarkupChangedSerializer(changed).data)
