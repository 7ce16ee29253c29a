"""Answers to annotators' questions."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from labeling import clock
from labeling.api.permissions import IsExpert, signed_in
from labeling.api.requests import body
from labeling.models import Report
from labeling.review import reports


class AnswerSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=10_000, help_text="The annotator reads it.")


class AnswerView(APIView):
    permission_classes = [IsExpert]

    @extend_schema(request=AnswerSerializer, responses={204: None})
    def post(self, request: Request, pk: UUID) -> Response:
        """Answers an annotator's question; for experts, one in their own phases."""
        by = signed_in(request)
        question = get_object_or_404(Report.objects.questions().adjudicated_by(by), pk=pk)
        reports.answer(question=question, now=clock.now(), by=by, **body(AnswerSerializer, request))
        return Response(status=204)
