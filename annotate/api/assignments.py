"""One annotator's tasks: claim, draft, submit."""

from typing import Any, cast
from uuid import UUID

import msgspec
from django.db.models import Exists, OuterRef
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import ScopedRateThrottle
from rest_framework.viewsets import ViewSet

from annotate import allocation, drafts, offers, progress, submission, workplaces
from annotate.api import answers
from annotate.api.fast import FastView, read_message
from annotate.api.messages import (
    AssignmentMessage,
    ClaimMessage,
    ClaimRequest,
    DraftMessage,
    LeaseMessage,
    SubmissionMessage,
    SubmittedMessage,
)
from annotate.api.serializers import OfferRequestSerializer, OfferSerializer, RecentSerializer, ReportRequestSerializer
from annotate.progress import OwnProgress
from annotate.workplaces import Workplace
from labeling import clock
from labeling.api.permissions import signed_in
from labeling.api.requests import body, visible
from labeling.api.traces import PartRequestSerializer, PartTextSerializer, part_response
from labeling.campaign import screening
from labeling.models import Assignment, Labelling, Phase, PhaseStatus, Report, RoundStatus, User
from labeling.review import reports

RECENT = 20
HIDDEN = {PhaseStatus.DRAFT, PhaseStatus.ARCHIVED}


def _claimed(claimed: Assignment | allocation.NothingToClaim | allocation.NotAMember) -> ClaimMessage:
    if isinstance(claimed, Assignment):
        return ClaimMessage(answers.assignment(claimed))
    return ClaimMessage(None, cast(Any, claimed.code))


def _own_assignment(request: Request, pk: UUID) -> Any:
    """The assignment, as `allocation.own` reads it. Raises Http404 if it is not the person's."""
    user = signed_in(request)
    found = allocation.own(assignment_id=pk, annotator=user)
    return found or get_object_or_404(Assignment.objects.visible_to(user), pk=pk)


def _workplace(phase_id: UUID, annotator: User) -> Workplace | None:
    """Returns the annotator's workplace; None for a non-member. Raises Http404 for a phase that they may not see."""
    workplace = workplaces.of(phase_id=phase_id, annotator=annotator)
    if workplace is None or workplace.phase.status in HIDDEN:
        get_object_or_404(Phase.objects.visible_to(annotator), pk=phase_id)
    return workplace


def _claim(phase_id: UUID, annotator: User, *, ahead: int) -> ClaimMessage:
    """Claims a task. Raises Http404 for a phase that the annotator may not see."""
    workplace = _workplace(phase_id, annotator)
    if workplace is None:
        return ClaimMessage(None, "not_a_member")
    try:
        return _claimed(allocation.claim(workplace=workplace, now=clock.now(), ahead=ahead))
    except allocation.NothingToClaim as nothing:
        return _claimed(nothing)


class ClaimView(FastView):
    @extend_schema(request=ClaimRequest, responses=ClaimMessage)
    def post(self, request: Request, phase_id: UUID) -> ClaimMessage:
        """The task in hand, or the next one of the phase's open round; with `ahead`, the first or the
        second one after it.
        """
        asked = read_message(request, ClaimRequest)
        return _claim(phase_id, signed_in(request), ahead=asked.ahead)


class DraftView(FastView):
    @extend_schema(request=DraftMessage, responses=DraftMessage)
    def put(self, request: Request, pk: UUID) -> dict[str, Any]:
        """Saves the draft. An older version than the stored one is a 409."""
        content = msgspec.to_builtins(read_message(request, DraftMessage))
        version, user = content.pop("version"), signed_in(request)
        drafts.save(assignment_id=pk, annotator=user, version=version, content=content, now=clock.now())
        return answers.draft(content, version)


class RenewView(FastView):
    @extend_schema(request=None, responses=LeaseMessage)
    def post(self, request: Request, pk: UUID) -> LeaseMessage:
        """Renews the lease of the task in hand."""
        renewed = allocation.renew(assignment_id=pk, annotator=signed_in(request), now=clock.now())
        return LeaseMessage(renewed.lease_expires_at)


class SubmitView(FastView):
    @extend_schema(request=SubmissionMessage, responses=SubmittedMessage)
    def post(self, request: Request, pk: UUID) -> SubmittedMessage:
        """Stores the labelling, once however often it is sent, and claims the next task."""
        sent, user, now = read_message(request, SubmissionMessage), signed_in(request), clock.now()
        labelling = submission.submit(assignment_id=pk, annotator=user, submission=sent.submission(), now=now)
        assignment = cast(Assignment, labelling.assignment)
        workplace, (feedback, standing) = workplaces.after(assignment, user), screening.compared(labelling)
        claims = allocation.claims(workplace=workplace, now=clock.now(), ahead=sent.ahead)
        phase = assignment.round.phase
        return SubmittedMessage(
            labelling_id=labelling.pk,
            checks=labelling.checks,
            screening=standing,
            feedback=feedback if phase.gives_feedback else None,
            next=_claimed(claims.in_hand),
            ahead=None if claims.ahead is None else [answers.assignment(each) for each in claims.ahead],
            progress=progress.of(workplace, phase=phase, annotator=user, now=now),
        )


class Assignments(ViewSet):
    throttle_scope = "completions"

    @extend_schema(responses=AssignmentMessage)
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """One of your own tasks, with its draft, or with what you submitted."""
        held = _own_assignment(request, pk)
        (found,) = allocation.with_content(held.pk)
        found.round = held.round
        labelling = Labelling.objects.current().in_full().filter(assignment=held).first()
        return Response(msgspec.to_builtins(answers.assignment(found, labelling)))

    @extend_schema(request=None, responses={204: None})
    @action(detail=True, methods=["post"])
    def release(self, request: Request, pk: UUID) -> Response:
        """Gives the task back, to the end of the queue; only so many within an hour."""
        allocation.release(assignment_id=pk, annotator=signed_in(request), now=clock.now())
        return Response(status=204)

    @extend_schema(request=OfferRequestSerializer, responses=OfferSerializer)
    @action(detail=True, methods=["post"], throttle_classes=[ScopedRateThrottle])
    def completions(self, request: Request, pk: UUID) -> Response:
        """Offers completions to rate after the steps of `path`, or critiques of its last one. `pending`: ask again."""
        asked, assignment = body(OfferRequestSerializer, request), _own_assignment(request, pk)
        found = offers.offer(assignment=assignment, now=clock.now(), **asked)
        return Response(OfferSerializer(found).data)

    @extend_schema(parameters=[PartRequestSerializer], responses=PartTextSerializer)
    @action(detail=True)
    def part(self, request: Request, pk: UUID) -> Response:
        """The text of a part of a trace, from `start` on, in stretches of 100,000 characters."""
        return part_response(request, _own_assignment(request, pk).task.solution)

    @extend_schema(request=ReportRequestSerializer, responses={204: None})
    @action(detail=True, methods=["post"])
    def report(self, request: Request, pk: UUID) -> Response:
        """Reports that the reference answer, the experts' labels or the steps look wrong; or asks the admins."""
        reported, assignment = body(ReportRequestSerializer, request), _own_assignment(request, pk)
        reports.file(task=assignment.task, annotator=signed_in(request), **reported)
        return Response(status=204)


class OwnWork(ViewSet):
    lookup_url_kwarg = "phase_id"

    @extend_schema(responses=RecentSerializer(many=True))
    @action(detail=True)
    def recent(self, request: Request, phase_id: UUID) -> Response:
        """The annotator's own last submissions of the open round, newest first, any of which may be revised."""
        phase = visible(Phase.objects, request, phase_id)
        own = Labelling.objects.current().filter(annotator=signed_in(request), task__round__phase=phase)
        open_now = own.filter(task__round__status=RoundStatus.OPEN, task__round__number__gte=0)
        questions = Report.objects.filter(task=OuterRef("task"), annotator=signed_in(request))
        rows = open_now.annotate(has_answer=Exists(questions.answered()))
        rows = rows.select_related("task__solution__problem").in_full()
        return Response(RecentSerializer(rows.order_by("-submitted_at", "pk")[:RECENT], many=True).data)

    @extend_schema(responses=OwnProgress)
    @action(detail=True)
    def progress(self, request: Request, phase_id: UUID) -> Response:
        """The annotator's own progress in the phase."""
        user = signed_in(request)
        workplace = _workplace(phase_id, user)
        phase = workplace.phase if workplace else Phase.objects.get(pk=phase_id)
        return Response(vars(progress.of(workplace, phase=phase, annotator=user, now=clock.now())))
