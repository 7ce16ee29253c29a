"""Searches labellings: the query parameters of the list, of its table and of acts on many."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery, TextField
from django.db.models.functions import Cast
from rest_framework import serializers
from rest_framework.request import Request

from labeling.api import days
from labeling.api.filters import Flag
from labeling.api.requests import checked
from labeling.models import FinishReason, Labelling, Problem, RatedCompletion, Rating
from labeling.rules.words import Check

SECOND_MS = 1000
UNSURE = "unsure"
RATINGS = {rating.name.lower(): rating.value for rating in Rating} | {UNSURE: None}


class LabellingSearchSerializer(serializers.Serializer[Any]):
    """Filters of the list; a missing one doesn't narrow it."""

    phase = serializers.UUIDField(required=False)
    round = serializers.UUIDField(required=False)
    annotator = serializers.CharField(required=False, max_length=150, help_text="A user name.")
    finish_reason = serializers.ChoiceField(choices=FinishReason.choices, required=False)
    text = serializers.CharField(
        required=False, max_length=200, help_text="Stands in the problem, or in one of the annotator's notes."
    )
    rating = serializers.ChoiceField(choices=list(RATINGS), required=False, help_text="At least one step has it.")
    first_error = serializers.IntegerField(
        required=False, min_value=0, max_value=10_000, help_text="The step of the first negative, from 0."
    )
    error_kind = serializers.CharField(
        required=False, max_length=1, help_text="At least one Bad step is of the kind with this key."
    )
    pace_from = serializers.FloatField(required=False, min_value=0, help_text="Active seconds per step, at least.")
    pace_to = serializers.FloatField(required=False, min_value=0, help_text="Active seconds per step, at most.")
    check = serializers.ChoiceField(
        choices=Check.choices, required=False, help_text="A soft check that the annotator was shown."
    )
    has_note = Flag(required=False)
    guidelines_version = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    is_outdated = Flag(required=False, help_text="Given under an older version of the guidelines than the phase's.")
    is_superseded = Flag(required=False, help_text="Those that were revised or asked for again, not the current ones.")


def found(rows: QuerySet[Labelling], request: Request) -> QuerySet[Labelling]:
    """Returns the rows that the query asks for; `from` and `to` are days of submission. Raises ValidationError."""
    asked = checked(LabellingSearchSerializer(data=request.query_params))
    rows = rows.filter(superseded_at__isnull=not asked.pop("is_superseded", False))
    for name, value in asked.items():
        rows = _by(rows, name, value)
    return days.on_days(rows, request, "submitted_at")


def _by(rows: Any, name: str, value: Any) -> Any:
    if name in {"pace_from", "pace_to"}:
        return _by_pace(rows, name, value)
    if name == "check":
        # Portable: SQLite can't look into a JSON list.
        return rows.annotate(shown=Cast("checks", TextField())).filter(shown__contains=f'"{value}"')
    if name == "first_error":
        return rows.with_first_error().filter(first_error=value)
    return rows.filter(CONDITIONS[name](value))


def _by_pace(rows: QuerySet[Labelling], name: str, seconds: float) -> QuerySet[Labelling]:
    """Filters by seconds a step; labellings without a known time or a rated step are left out."""
    last = RatedCompletion.objects.filter(labelling=OuterRef("pk")).order_by("-step").values("step")[:1]
    most = (F("last_step") + 1) * seconds * SECOND_MS
    lookup = "active_ms__gte" if name == "pace_from" else "active_ms__lte"
    return rows.annotate(last_step=Subquery(last)).filter(**{lookup: most})


def _rated(**columns: Any) -> Exists:
    return Exists(RatedCompletion.objects.filter(labelling=OuterRef("pk"), **columns))


def _with_words(words: str) -> Q:
    problems = Problem.objects.filter(statement__icontains=words)
    return Q(task__solution__problem__in=problems) | Q(finish_note__icontains=words) | Q(_rated(note__icontains=words))


def _noted(is_noted: bool) -> Q:
    noted = ~Q(finish_note="") | Q(Exists(RatedCompletion.objects.filter(labelling=OuterRef("pk")).exclude(note="")))
    return noted if is_noted else ~noted


def _outdated(is_outdated: bool) -> Q:
    version = F("task__round__phase__guidelines_version")
    return Q(guidelines_version__lt=version) if is_outdated else Q(guidelines_version=version)


CONDITIONS: Mapping[str, Callable[[Any], Q]] = {
    "phase": lambda pk: Q(task__round__phase=pk),
    "round": lambda pk: Q(task__round=pk),
    "annotator": lambda name: Q(annotator__username=name),
    "finish_reason": lambda reason: Q(finish_reason=reason),
    "text": _with_words,
    "rating": lambda word: Q(_rated(rating=RATINGS[word]) if word != UNSURE else _rated(rating__isnull=True)),
    "error_kind": lambda key: Q(_rated(error_kind=key)),
    "has_note": _noted,
    "guidelines_version": lambda version: Q(guidelines_version=version),
    "is_outdated": _outdated,
}
