"""Labels that a phase's current model finds unlikely get a second, blind look; how often it differs estimates noise.

A label is Bad or not (Great and Okay are both right). Its probability under the model puts it into a band; within a
band labels are drawn at random, so the share of changed labels in each band, weighted by the band's size, is an
unbiased estimate for the round. Gold and screening are left out: they have experts' labels already.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    FloatField,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.functions import MD5, Cast, Concat, Exp, Greatest

from labeling.errors import DomainError, is_taken
from labeling.models import PhaseKind, RatedCompletion, Rating, Round, User
from labeling.models.pool import not_withdrawn
from labeling.review import adjudication
from labeling.rules.intervals import Z
from prm_training.models import RewardModel, SecondLook

LOWEST = -700.0  # below this, exp fails in PostgreSQL
BANDS = (0.02, 0.1, 0.3)  # P(label) below the first, below the second, ... and the rest
EACH_LIKELY = 4  # one look in so many goes to the least surprising labels, or nothing would be known of them
FEWEST = 5  # second looks in a band before it gives an estimate


class NoLabel(DomainError, code="not_found", status=404):
    """There is no such label, or it is the person's own."""


class LookedAt(DomainError, code="conflict", status=409):
    """Somebody else gave this second look."""


@dataclass(frozen=True)
class Band:
    """A band's numbers of labels, of labels with a second look, and of labels that it changed."""

    labels: int
    looks: int
    changed: int


@dataclass(frozen=True)
class Noise:
    """The share of labels that a second look would change, with its 95 % interval; None with too few looks."""

    labels: int
    surprising: int
    looks: int
    changed: int
    estimate: float | None
    low: float | None
    high: float | None


Judges = Mapping[UUID, RewardModel]  # the current model of each phase


def labels(judges: Judges) -> QuerySet[Any]:
    """The phases' current labels on steps that their models have scored, each with its `chance`, `band` and second
    `look`.
    """
    is_scored = Q(pk=None)
    for phase, model in judges.items():
        is_scored |= Q(labelling__task__round__phase=phase, labelling__task__solution__scores__reward_model=model)
    rows = RatedCompletion.objects.filter(
        is_scored,
        labelling__task__round__number__gte=0,
        labelling__task__round__phase__kind=PhaseKind.SOLUTIONS,
        labelling__task__is_gold=False,
        labelling__superseded_at__isnull=True,
        rating__isnull=False,
        completion=0,
    ).filter(not_withdrawn("labelling__task__solution", "labelling__task"))
    steps = F("labelling__task__solution__scores__step_log_probabilities")
    of_step = Func(steps, F("step"), template="(%(expressions)s)", arg_joiner=" ->> ", output_field=TextField())
    right = Exp(Greatest(Cast(of_step, FloatField()), LOWEST))
    looks = SecondLook.objects.filter(labelling=OuterRef("labelling"), step=OuterRef("step"))
    chance = Case(When(rating__lt=0, then=1 - right), default=right, output_field=FloatField())
    bands = (When(chance__lt=below, then=Value(number)) for number, below in enumerate(BANDS))
    scored = rows.annotate(chance=chance, look=Subquery(looks.values("rating"))).filter(chance__isnull=False)
    return cast("QuerySet[Any]", scored.annotate(band=Case(*bands, default=Value(len(BANDS)))))


def next_for(person: User, *, round_: Round, judges: Judges) -> Any:
    """The next label for this person: from the most surprising band, now and then the least. None once all are
    done.
    """
    found = labels(judges).filter(labelling__task__round=round_)
    # Nobody looks at their own label again: they might remember it.
    waiting = found.filter(look__isnull=True).exclude(labelling__annotator=person)
    band = "-band" if is_likely_ones_turn(found.filter(look__isnull=False).count()) else "band"
    named = [Cast(name, CharField()) for name in ("labelling", "step")]
    # A random order that stays the same for a person, and differs between two, so that they rarely meet at one label.
    drawn = MD5(Concat(Value(f"{person.pk}:"), *named))
    return waiting.select_related("labelling__task__solution__problem").order_by(band, drawn).first()


def is_likely_ones_turn(looks: int) -> bool:
    """Returns whether the next look, after this many, goes to the labels that surprise least."""
    return looks % EACH_LIKELY == EACH_LIKELY - 1


def with_labels(rounds: QuerySet[Round], judges: Judges) -> QuerySet[Round]:
    """The rounds that have labels on solutions that their phase's model has scored."""
    return rounds.filter(Exists(labels(judges).filter(labelling__task__round=OuterRef("pk"))))


def noise_of(rounds: Iterable[Round], judges: Judges) -> dict[UUID, Noise]:
    """The label noise of each round that has labels on solutions that its phase's model has scored."""
    is_changed = Q(look__lt=0, rating__gte=0) | Q(look__gte=0, rating__lt=0)
    counts = {"labels": Count("pk"), "looks": Count("look"), "changed": Count("pk", filter=is_changed)}
    rows = labels(judges).filter(labelling__task__round__in=rounds).order_by()
    bands = defaultdict[UUID, dict[int, Band]](dict)
    for round_, band, *counted in rows.values_list("labelling__task__round", "band").annotate(**counts):
        bands[round_][band] = Band(*counted)
    return {round_: noise(found) for round_, found in bands.items()}


def noise(bands: Mapping[int, Band]) -> Noise:
    """Estimates the noise: each band's share of changed labels, with Jeffreys' prior, weighted by its size (pure)."""
    size = sum(band.labels for band in bands.values())
    surprising = sum(band.labels for number, band in bands.items() if number < len(BANDS))
    looks, changed = (sum(getattr(band, name) for band in bands.values()) for name in ("looks", "changed"))
    counts = (size, surprising, looks, changed)
    # A band with too few looks would be estimated by its prior alone.
    if not size or any(band.looks < min(FEWEST, band.labels) for band in bands.values()):
        return Noise(*counts, None, None, None)
    mean, variance = 0.0, 0.0
    for band in bands.values():
        share, prior = band.labels / size, (band.changed + 0.5) / (band.looks + 1)
        unseen = 1 - band.looks / band.labels  # a band with all its looks has nothing uncertain left
        mean += share * (unseen * prior + (1 - unseen) * band.changed / band.looks)
        variance += share**2 * unseen * prior * (1 - prior) / (band.looks + 2)
    reach = Z * math.sqrt(variance)
    return Noise(*counts, mean, max(0.0, mean - reach), min(1.0, mean + reach))


def give(*, person: User, judges: Judges, labelling: UUID, step: int, rating: int) -> SecondLook:
    """Stores the second look, and only then reveals the first label. If they differ, the task waits for a ruling: one
    look at one step measures the noise and settles nothing. Raises NoLabel, LookedAt.
    """
    given = labels(judges).filter(labelling=labelling, step=step).exclude(labelling__annotator=person)
    label = given.select_related("labelling__task__round").first()
    if label is None:
        raise NoLabel("There is no label to look at here, or it is your own.")
    model = judges[label.labelling.task.round.phase_id]
    columns = {"first_rating": label.rating, "rating": rating, "chance": label.chance}
    try:
        with transaction.atomic():
            look = SecondLook.objects.create(
                labelling=label.labelling, step=step, person=person, reward_model=model, **columns
            )
            if look.is_changed:
                first, second = (Rating(value).label for value in (look.first_rating, look.rating))
                why = f"Step {step + 1} was labelled {first}; a second look says {second}."
                adjudication.refer(task=label.labelling.task, why=why, by=person, now=look.created_at)
            return look
    except IntegrityError as error:
        if not is_taken(error):
            raise
        raise LookedAt("Somebody else has given this second look in the meantime.") from error
