"""One annotator's tasks: claim, draft, submit."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import generics
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotate import allocation, drafts, submission
from annotate.api.serializers import (
    AssignmentSerializer,
    ClaimSerializer,
    DraftSerializer,
    LeaseSerializer,
    SubmissionSerializer,
    SubmittedSerializer,
)
from labeling.api.permissions import signed_in
from labeling.models import Assignment, Phase, User


def _claim(phase: Phase, annotator: User) -> dict[str, Any]:
    try:
        taken = allocation.claim_next(phase=phase, annotator=annotator, now=timezone.now())
    except (allocation.NothingToClaim, allocation.NotAMember) as nothing:
        return {"assignment": None, "reason": nothing.code}
    return {"assignment": taken, "reason": ""}


class ClaimView(APIView):
    @extend_schema(request=None, responses=ClaimSerializer)
    def post(self, request: Request, phase_id: UUID) -> Response:
        """The task in hand, or the next one of the phase's open round."""
        user = signed_in(request)
        phase = generics.get_object_or_404(Phase.objects.visible_to(user), pk=phase_id)
        return Response(ClaimSerializer(_claim(phase, user)).data)


class AssignmentView(APIView):
    @extend_schema(responses=AssignmentSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        own = Assignment.objects.visible_to(signed_in(request))
        rows = own.select_related("round__phase", "task__solution__problem")
        return Response(AssignmentSerializer(generics.get_object_or_404(rows, pk=pk)).data)


class DraftView(APIView):
    @extend_schema(request=DraftSerializer, responses=DraftSerializer)
    def put(self, request: Request, pk: UUID) -> Response:
        body = DraftSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        content = dict(body.validated_data)
        version = content.pop("version")
        draft = drafts.save(
            assignment_id=pk,
            annotator=signed_in(request),
            version=version,
            content=content,
            now=timezone.now(),
        )
        return Response(DraftSerializer(draft).data)


class RenewView(APIView):
    @extend_schema(request=None, responses=LeaseSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        renewed = allocation.renew(assignment_id=pk, annotator=signed_in(request), now=timezone.now())
        return Response(LeaseSerializer(renewed).data)


class ReleaseView(APIView):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, pk: UUID) -> Response:
        allocation.release(assignment_id=pk, annotator=signed_in(request))
        return Response(status=204)


class SubmitView(APIView):
    @extend_schema(request=SubmissionSerializer, responses=SubmittedSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        """Stores the labelling, once however often it is sent, and claims the next task."""
        body = SubmissionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        user = signed_in(request)
        labelling = submission.submit(
            assignment_id=pk, annotator=user, submission=body.submission(), now=timezone.now()
        )
        following = _claim(labelling.task.round.phase, user)
        return Response(SubmittedSerializer({"labelling_id": labelling.pk, "next": following}).data)
