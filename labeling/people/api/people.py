"""People, for admins: who they are, how much and how well they label, and their hours for pay."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.db.models import Count, F, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.http import StreamingHttpResponse
from django.utils.functional import cached_property
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from labeling import clock
from labeling.api import days
from labeling.api.fields import RowSerializer, interval_field
from labeling.api.filters import filtered, listed_by, ordered_by, ordering
from labeling.api.pagination import CountedPages
from labeling.api.permissions import Confirmed, IsAdmin, signed_in
from labeling.api.requests import body
from labeling.api.spreadsheets import csv_reply
from labeling.campaign import quality
from labeling.counts import rollups, tallies
from labeling.models import Labelling, Membership, Phase, PhaseRole, Role, User
from labeling.people import accounts, erasure
from labeling.people.api.members import QualitySerializer, WorkSerializer
from labeling.people.api.session import PasswordField, checked_password

HOUR_MS = 3_600_000
DAYS = 30
ORDERINGS = ["username", "labellings", "active_ms", "mean_ms", "last_at", "accuracy"]
WORKED_AT = "assignment__submitted_at"  # the first submission: a revision's time counts on that day, too


class NewPersonSerializer(RowSerializer[User]):
    password = PasswordField(write_only=True)
    role = serializers.ChoiceField(choices=Role.choices, default=Role.ANNOTATOR)

    class Meta:
        model = User
        fields = ["id", "username", "is_active"]
        read_only_fields = ["is_active"]

    def validate_username(self, value: str) -> str:
        return User.objects.check_is_free(value)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return checked_password(attrs)


class PlaceSerializer(RowSerializer[Membership]):
    phase_name = serializers.CharField(source="phase.name", read_only=True)
    role = serializers.ChoiceField(choices=PhaseRole.choices)
    is_paused = serializers.BooleanField(read_only=True)

    class Meta:
        model = Membership
        fields = ["phase"]


class ColleagueSerializer(WorkSerializer, RowSerializer[User]):
    """A person with their numbers, of which only accuracy on gold may be an older count."""

    role = serializers.ChoiceField(choices=Role.choices, required=False)
    places = PlaceSerializer(source="memberships", many=True, read_only=True)
    active_ms = serializers.IntegerField(source="work.active_ms", read_only=True)
    gold_tasks = serializers.IntegerField(read_only=True)
    accuracy = serializers.FloatField(
        read_only=True,
        allow_null=True,
        help_text="Share of gold tasks whose first error is where gold has it.",
    )
    accuracy_interval = interval_field(read_only=True, allow_null=True)

    class Meta:
        model = User
        fields = ["id", "username", "is_superuser", "is_active", "date_joined"]
        read_only_fields = ["username", "is_superuser", "date_joined"]


class DaySerializer(serializers.Serializer[Any]):
    day = serializers.DateField()
    labellings = serializers.IntegerField()
    active_ms = serializers.IntegerField()


class PhaseQualitySerializer(serializers.Serializer[Any]):
    phase = serializers.UUIDField()
    phase_name = serializers.CharField()
    quality = QualitySerializer()


class ColleagueDetailSerializer(ColleagueSerializer):
    days = serializers.SerializerMethodField()
    qualities = serializers.SerializerMethodField()

    @extend_schema_field(DaySerializer(many=True))
    def get_days(self, person: User) -> Any:
        """Returns the days with work among the last 30, oldest first."""
        day = TruncDate(WORKED_AT, tzinfo=self.context["zone"])
        worked = _work().filter(annotator=person).values(day=day).annotate(**SUMS).order_by("-day")[:DAYS]
        return DaySerializer(reversed(worked), many=True).data

    @extend_schema_field(PhaseQualitySerializer(many=True))
    def get_qualities(self, person: User) -> Any:
        found = [
            {"phase": phase.pk, "phase_name": phase.name, "quality": each[person.pk]}
            for phase in (member.phase for member in person.memberships.all())
            if (each := quality.of_people(phase.pk, annotator=person))
        ]
        return PhaseQualitySerializer(found, many=True).data


SUMS = {"labellings": Count("pk"), "active_ms": Sum("active_ms", default=0)}


def _work() -> QuerySet[Any]:
    """Returns labellings made here, including those asked for again: they were work. Imported ones are left out."""
    return Labelling.objects.as_last_submitted()


def _with_numbers(shown: Iterable[Any], found: rollups.Counted) -> list[Any]:
    """Adds how much each person has labelled, and how well, in all phases."""
    colleagues, judged = list(shown), found.value or {}
    done = tallies.work_of([person.pk for person in colleagues])
    for person in colleagues:
        person.work = done.get(person.pk, tallies.WorkDone())
        person.gold_tasks, person.accuracy, person.accuracy_interval = judged.get(str(person.pk), (0, None, None))
        person.as_of, person.is_counting = found.freshness.values()
    return colleagues


class GivenPasswordSerializer(serializers.Serializer[Any]):
    password = serializers.CharField(read_only=True, help_text="Shown only once.")


@listed_by(
    OpenApiParameter("username", OpenApiTypes.STR, description="A part of it."),
    OpenApiParameter("role", OpenApiTypes.STR, enum=Role.values),
    OpenApiParameter("outside", OpenApiTypes.UUID, description="Who is not in this phase."),
    ordered_by(*ORDERINGS),
    is_active=bool,
)
class People(ListModelMixin, GenericViewSet[User]):
    """Everybody with an account: where they label, how much and how well."""

    permission_classes = [IsAdmin, Confirmed]
    pagination_class = CountedPages
    serializer_class = ColleagueSerializer

    def get_queryset(self) -> QuerySet[Any]:
        lookups = {"username": "username__icontains", "role": "role"}
        rows = User.objects.exclude(pk=erasure.NOBODY).prefetch_related("memberships__phase")
        by = ordering(self.request, *ORDERINGS, default="username")
        if by.endswith("accuracy"):
            shares = {person: accuracy for person, (_, accuracy, _) in (self._accuracies.value or {}).items()}
            rows = quality.sorted_by_accuracy(by, rows, shares)
        else:
            rows = rows.order_by(by) if by.endswith("username") else tallies.sorted_by(by, rows)
        if self.request.query_params.get("outside"):
            rows = rows.exclude(memberships__phase__in=filtered(Phase.objects.all(), self.request, outside="pk"))
        return filtered(rows, self.request, flags=["is_active"], **lookups)

    @cached_property
    def _accuracies(self) -> rollups.Counted:
        return rollups.read_counts(quality.EVERYWHERE, now=clock.now())

    def paginate_queryset(self, queryset: Any) -> list[Any]:
        return _with_numbers(super().paginate_queryset(queryset) or [], self._accuracies)

    @extend_schema(request=NewPersonSerializer, responses={201: NewPersonSerializer})
    def create(self, request: Request) -> Response:
        """Adds a person with a password that you choose; an invitation lets them choose their own."""
        made = accounts.add_person(by=signed_in(request), **body(NewPersonSerializer, request))
        return Response(NewPersonSerializer(made).data, status=201)

    @extend_schema(responses=ColleagueDetailSerializer, parameters=[days.ZONE])
    def retrieve(self, request: Request, pk: UUID) -> Response:
        """One person; their days of work are in the zone `tz`."""
        zone = days.zone_of(request)
        return Response(ColleagueDetailSerializer(self._colleague(), context={"zone": zone}).data)

    @extend_schema(
        request=ColleagueSerializer(partial=True),
        responses=ColleagueSerializer,
        examples=[OpenApiExample("Deactivate", {"is_active": False}, request_only=True)],
    )
    def partial_update(self, request: Request, pk: UUID) -> Response:
        """Changes a role; deactivates a person, whose leases, sessions and tokens end at once; reactivates one."""
        person = self._colleague()
        changes = body(ColleagueSerializer, request, of=person)
        accounts.change_person(person=person, changes=changes, now=clock.now(), by=signed_in(request))
        return Response(ColleagueSerializer(person).data)

    @extend_schema(request=None, responses={201: GivenPasswordSerializer})
    @action(detail=True, methods=["post"])
    def password(self, request: Request, pk: UUID) -> Response:
        """Makes a new password for somebody who forgot theirs, and signs them out; they can change it afterwards."""
        return Response(
            {"password": accounts.give_password(person=self.get_object(), by=signed_in(request))}, status=201
        )

    @extend_schema(parameters=days.PERIOD, responses={(200, "text/csv"): OpenApiTypes.STR})
    @action(detail=False)
    def hours(self, request: Request) -> StreamingHttpResponse:
        """Active hours by person, day (of the zone `tz`) and phase, as CSV; screening and gold are work, too."""
        worked = days.on_days(_work(), request, WORKED_AT).filter(annotator__isnull=False)
        day = TruncDate(WORKED_AT, tzinfo=days.zone_of(request))
        keys = {"person": F("annotator__username"), "day": day, "phase": F("task__round__phase__name")}
        rows = worked.values(**keys).annotate(**SUMS).order_by(*keys)
        return csv_reply("hours.csv", ["person", "day", "phase", "labellings", "hours"], _hours(rows))

    def _colleague(self) -> Any:
        person = self.get_object()
        return _with_numbers([person], rollups.Counted(quality.accuracies([person.pk])))[0]


def _hours(rows: QuerySet[Any]) -> Iterator[list[object]]:
    for row in rows.iterator():
        yield [row["person"], row["day"], row["phase"], row["labellings"], round(row["active_ms"] / HOUR_MS, 4)]
