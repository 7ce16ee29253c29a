"""The people of a phase, with their quality and pace."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.utils.functional import cached_property
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api.fields import RolledSerializer, RowSerializer, UsernamesField, interval_field
from labeling.api.filters import flag, listed_by, ordered_by, ordering
from labeling.api.pagination import CountedPages
from labeling.api.permissions import AdminWrites, check_confirmed, signed_in
from labeling.api.requests import body, visible
from labeling.campaign import quality, screening
from labeling.counts import rollups, tallies
from labeling.models import Membership, Phase, PhaseRole, RoundStatus
from labeling.people import accounts

ORDERINGS = ["username", "labellings", "mean_ms", "last_at", "accuracy"]


class MembersSerializer(serializers.Serializer[dict[str, list[str]]]):
    usernames = UsernamesField()


class QualitySerializer(serializers.Serializer[quality.Quality]):
    """Quality on gold hidden among real tasks. `outcomes` counts exact, early, late, missed and false_alarm."""

    tasks = serializers.IntegerField()
    outcomes = serializers.DictField(child=serializers.IntegerField())
    accuracy = serializers.FloatField(allow_null=True, help_text="Share whose first error is where gold has it.")
    low = serializers.FloatField(help_text="End of the 95 % interval.")
    high = serializers.FloatField()
    step_agreement = serializers.FloatField(allow_null=True)
    step_agreement_interval = interval_field(allow_null=True)
    is_drifting = serializers.BooleanField(help_text="The last ten are clearly worse than those before.")
    kinds = serializers.IntegerField(help_text="Mistakes of which both they and gold name a kind.")
    kind_agreement = serializers.FloatField(allow_null=True, help_text="Share of the same kind.")
    kind_agreement_interval = interval_field(allow_null=True)


class WorkSerializer(RolledSerializer):
    """A person's work; see `labeling.counts.tallies.WorkDone`."""

    labellings = serializers.IntegerField(source="work.labellings", read_only=True)
    mean_ms = serializers.FloatField(
        source="work.mean_ms", read_only=True, allow_null=True, help_text="Mean active time per labelling."
    )
    last_at = serializers.DateTimeField(source="work.last_at", read_only=True, allow_null=True)


class MemberSerializer(WorkSerializer, RowSerializer[Membership]):
    """A member with their numbers, of which only `quality` may be an older count."""

    id = serializers.UUIDField(source="user_id", read_only=True)
    username = serializers.CharField(read_only=True)
    is_active = serializers.BooleanField(source="user.is_active", read_only=True)
    is_ml_staff = serializers.BooleanField(
        source="user.is_ml_staff", read_only=True, help_text="Whether they may become ML staff of the phase."
    )
    is_paused = serializers.BooleanField(required=False)
    role = serializers.ChoiceField(choices=PhaseRole.choices, required=False)
    screening = serializers.SerializerMethodField()
    quality = QualitySerializer(read_only=True)

    class Meta:
        model = Membership
        fields = ["is_let_in", "paused_at", "screening_agreement", "attempts"]
        read_only_fields = ["paused_at", "screening_agreement", "attempts"]

    @extend_schema_field(serializers.ChoiceField(choices=["", "pending", "passed", "failed"]))
    def get_screening(self, member: Membership) -> str:
        phase = member.phase
        if member.role == PhaseRole.ML_STAFF:
            return ""
        return screening.state(phase=phase, membership=member, has_round=self.context["has_screening"])


def _with_numbers(members: Iterable[Any], phase: Phase, found: rollups.Counted) -> list[Any]:
    """Adds how much each member has labelled in the phase, and how well."""
    shown, judged = list(members), found.value or {}
    done = tallies.work_of([member.user_id for member in shown], round__phase=phase)
    for member in shown:
        member.work = done.get(member.user_id, tallies.WorkDone())
        # A count of an older version may lack a part.
        member.quality = asdict(quality.summed_up([])) | judged.get(str(member.user_id), {})
        member.as_of, member.is_counting = found.freshness.values()
    return shown


@listed_by(
    OpenApiParameter("on_gold", bool, description="Only who labelled hidden gold, or is paused."),
    ordered_by(*ORDERINGS),
)
class Members(ListModelMixin, GenericViewSet[Membership]):
    """The people of the phase: their screening, how much and how well they label."""

    permission_classes = [AdminWrites]
    pagination_class = CountedPages
    serializer_class = MemberSerializer
    lookup_field = "user"
    lookup_url_kwarg = "user_id"

    def get_queryset(self) -> QuerySet[Any]:
        members: QuerySet[Any] = self._phase.memberships.select_related("user", "phase")
        members = members.annotate(username=F("user__username"))
        judged = self._quality.value
        if flag(self.request, "on_gold") and judged is not None:
            members = members.filter(Q(user__in=list(judged)) | Q(paused_at__isnull=False))
        by = ordering(self.request, *ORDERINGS, default="username")
        if by.endswith("username"):
            return members.order_by(by)
        if by.endswith("accuracy"):
            shares = {person: each["accuracy"] for person, each in (judged or {}).items()}
            return quality.sorted_by_accuracy(by, members, shares, person="user")
        return tallies.sorted_by(by, members, person="user", round__phase=self._phase)

    @cached_property
    def _quality(self) -> rollups.Counted:
        return rollups.read_counts(quality.IN_PHASE, self._phase.pk, now=clock.now())

    @cached_property
    def _phase(self) -> Phase:
        return visible(Phase.objects, self.request, self.kwargs["phase_id"])

    def get_serializer_context(self) -> dict[str, Any]:
        screenings = self._phase.rounds.filter(number=screening.SCREENING, status=RoundStatus.OPEN)
        return {**super().get_serializer_context(), "has_screening": screenings.exists()}

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return _with_numbers(super().paginate_queryset(queryset) or [], self._phase, self._quality)

    @extend_schema(request=MembersSerializer, responses={204: None})
    def create(self, request: Request, phase_id: UUID) -> Response:
        """Adds people to the phase: ML staff to run it, others as annotators."""
        check_confirmed(request)
        phase, named = self._phase, body(MembersSerializer, request)["usernames"]
        accounts.add_members(phase=phase, users=named, by=signed_in(request))
        return Response(status=204)

    @extend_schema(responses={204: None})
    def destroy(self, request: Request, phase_id: UUID, user_id: UUID) -> Response:
        """Takes somebody out of the phase. Their labels stay; added again, they go on where they were."""
        accounts.remove_member(membership=self.get_object(), now=clock.now(), by=signed_in(request))
        return Response(status=204)

    @extend_schema(
        request=MemberSerializer(partial=True),
        responses=MemberSerializer,
        examples=[OpenApiExample("Resume after a pause", {"is_paused": False}, request_only=True)],
    )
    def partial_update(self, request: Request, phase_id: UUID, user_id: UUID) -> Response:
        """Changes a member's role, pauses or resumes them, or admits them without screening."""
        member = self.get_object()
        changes = body(MemberSerializer, request, of=member)
        if "role" in changes:
            check_confirmed(request)
        accounts.change_member(membership=member, changes=changes, now=clock.now(), by=signed_in(request))
        own = quality.of_people(phase_id, annotator=member.user)
        found = rollups.Counted({str(pk): asdict(each) for pk, each in own.items()})
        return Response(self.get_serializer(*_with_numbers([member], self._phase, found)).data)
