"""One annotator's tasks: claim, draft, submit."""

from typing import Any
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.views import APIView

from annotate import allocation, drafts, progress, submission, trajectories
from annotate.api.serializers import (
    AssignmentSerializer,
    ClaimRequestSerializer,
    ClaimSerializer,
    DraftSerializer,
    LeaseSerializer,
    OfferRequestSerializer,
    OfferSerializer,
    OwnProgressSerializer,
    RecentSerializer,
    ReportRequestSerializer,
    SubmissionSerializer,
    SubmittedSerializer,
)
from labeling import reports, screening
from labeling.api.permissions import signed_in
from labeling.api.reading import body, visible
from labeling.models import Assignment, Labelling, Phase, RoundStatus, User

RECENT = 20


def _claim(phase: Phase, annotator: User, *, ahead: bool = False) -> dict[str, Any]:
    try:
        taken = allocation.claim_next(phase=phase, annotator=annotator, now=timezone.now(), ahead=ahead)
    except (allocation.NothingToClaim, allocation.NotAMember) as nothing:
        return {"assignment": None, "reason": nothing.code}
    return {"assignment": taken, "reason": ""}


class ClaimView(APIView):
    @extend_schema(request=ClaimRequestSerializer, responses=ClaimSerializer)
    def post(self, request: Request, phase_id: UUID) -> Response:
        """The task in hand, or the next one of the phase's open round; with `ahead`, the one after it."""
        phase, asked = visible(Phase.objects, request, phase_id), body(ClaimRequestSerializer, request)
        return Response(ClaimSerializer(_claim(phase, signed_in(request), **asked)).data)


class AssignmentView(APIView):
    @extend_schema(responses=AssignmentSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        return Response(AssignmentSerializer(visible(Assignment.objects.whole(), request, pk)).data)


class DraftView(APIView):
    @extend_schema(request=DraftSerializer, responses=DraftSerializer)
    def put(self, request: Request, pk: UUID) -> Response:
        content, user = body(DraftSerializer, request), signed_in(request)
        version = content.pop("version")
        draft = drafts.save(assignment_id=pk, annotator=user, version=version, content=content, now=timezone.now())
        return Response(DraftSerializer(draft).data)


class RenewView(APIView):
    @extend_schema(request=None, responses=LeaseSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        renewed = allocation.renew(assignment_id=pk, annotator=signed_in(request), now=timezone.now())
        return Response(LeaseSerializer(renewed).data)


class ReleaseView(APIView):
    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, pk: UUID) -> Response:
        """Gives the task back, to the end of the queue; only so many within an hour."""
        allocation.release(assignment_id=pk, annotator=signed_in(request), now=timezone.now())
        return Response(status=204)


class SubmitView(APIView):
    @extend_schema(request=SubmissionSerializer, responses=SubmittedSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        """Stores the labelling, once however often it is sent, and claims the next task."""
        body = SubmissionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        user = signed_in(request)
        sent = body.submission()
        labelling = submission.submit(assignment_id=pk, annotator=user, submission=sent, now=timezone.now())
        phase = labelling.task.round.phase
        compared = screening.feedback(labelling)
        reply = {
            "labelling_id": labelling.pk,
            "checks": labelling.checks,
            "screening": compared,
            "feedback": compared if phase.gives_feedback else None,
            "next": _claim(phase, user),
        }
        return Response(SubmittedSerializer(reply).data)


class OfferView(APIView):
    throttle_classes = [ScopedRateThrottle]
    throttle_scope = "completions"

    @extend_schema(request=OfferRequestSerializer, responses=OfferSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        """What to rate after the steps in `path`: completions, or critiques of its last step. `pending`: ask again."""
        asked, assignment = body(OfferRequestSerializer, request), visible(Assignment.objects.whole(), request, pk)
        found = trajectories.offer(assignment=assignment, now=timezone.now(), **asked)
        return Response(OfferSerializer(found).data)


class ReportView(APIView):
    @extend_schema(request=ReportRequestSerializer, responses={204: None})
    def post(self, request: Request, pk: UUID) -> Response:
        """Tells the admins that the reference answer looks wrong, or the experts' labels."""
        said, task = body(ReportRequestSerializer, request), visible(Assignment.objects.whole(), request, pk).shown_task
        reports.file(task=task, annotator=signed_in(request), **said)
        return Response(status=204)


class RecentView(APIView):
    @extend_schema(responses=RecentSerializer(many=True))
    def get(self, request: Request, phase_id: UUID) -> Response:
        """The annotator's own last submissions of the open round, newest first, any of which may be revised."""
        phase = visible(Phase.objects, request, phase_id)
        own = Labelling.objects.current().filter(annotator=signed_in(request), task__round__phase=phase)
        open_now = own.filter(task__round__status=RoundStatus.OPEN, task__round__number__gte=0)
        rows = open_now.select_related("task__solution__problem").in_full()
        return Response(RecentSerializer(rows.order_by("-submitted_at", "pk")[:RECENT], many=True).data)


class OwnProgressView(APIView):
    @extend_schema(responses=OwnProgressSerializer)
    def get(self, request: Request, phase_id: UUID) -> Response:
        """The annotator's own figures in the phase."""
        phase = visible(Phase.objects, request, phase_id)
        figures = progress.own_progress(phase=phase, annotator=signed_in(request), now=timezone.now())
        return Response(OwnProgressSerializer(figures).data)
