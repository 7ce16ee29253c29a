"""Labels that the current model finds unlikely get a second, blind look; what it changes estimates the label noise.

A label is Bad or not (Great and Okay are both right). Its chance under the model puts it into a band; within a band
labels are drawn at random, so the share of changed labels in each band, weighted by the band's size, is an unbiased
estimate for the round. Gold and screening are never looked at again here: they have experts' labels already.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from labeling.errors import DomainError
from labeling.models import PhaseKind, RatedCompletion, Round, User
from labeling.quality import Z
from prm_training.models import RewardModel, Score
from prm_training.second_look_models import SecondLook

BANDS = (0.02, 0.1, 0.3)  # P(label) below the first, below the second, ... and the rest
EACH_LIKELY = 4  # every so many looks one goes to the labels that do not surprise, or nothing would be known of them
FEWEST = 5  # second looks in a band before anything is said of it


class NoLabel(DomainError):
    code = "not_found"
    status = 404


class LookedAt(DomainError):
    code = "conflict"
    status = 409


@dataclass(frozen=True)
class Label:
    """One step's label, and the chance that the model gives it."""

    labelling: UUID
    step: int
    rating: int
    annotator: UUID | None
    chance: float

    @property
    def band(self) -> int:
        return next((number for number, below in enumerate(BANDS) if self.chance < below), len(BANDS))


@dataclass(frozen=True)
class Noise:
    """The share of labels that a second look would change, with its 95 % interval; None while too few were given."""

    labels: int
    surprising: int
    looks: int
    changed: int
    estimate: float | None
    low: float | None
    high: float | None


def labels(round_: Round, model: RewardModel) -> list[Label]:
    """The round's current labels on steps that the model has scored."""
    rows = RatedCompletion.objects.filter(
        labelling__task__round=round_,
        labelling__task__round__number__gte=0,
        labelling__task__round__phase__kind=PhaseKind.SOLUTIONS,
        labelling__task__is_gold=False,
        labelling__superseded_at__isnull=True,
        rating__isnull=False,
        completion=0,
    )
    scores = dict(
        Score.objects.filter(reward_model=model, solution__tasks__round=round_).values_list(
            "solution", "step_log_probabilities"
        )
    )
    columns = ("labelling", "step", "rating", "labelling__annotator", "labelling__task__solution")
    found = []
    for labelling, step, rating, annotator, solution in rows.values_list(*columns):
        log_right = scores.get(solution, [])
        if step < len(log_right):
            right = math.exp(log_right[step])
            found.append(Label(labelling, step, rating, annotator, 1 - right if rating < 0 else right))
    return found


def draw(found: Iterable[Label], *, looked_at: set[tuple[UUID, int]], person: UUID) -> Label | None:
    """The next label for this person: from the most surprising band, now and then from the others (pure)."""
    waiting = [each for each in found if (each.labelling, each.step) not in looked_at and each.annotator != person]
    is_likely_ones_turn = len(looked_at) % EACH_LIKELY == EACH_LIKELY - 1

    def order(label: Label) -> tuple[int, bytes]:
        drawn = hashlib.sha256(f"{person}:{label.labelling}:{label.step}".encode()).digest()
        return (-label.band if is_likely_ones_turn else label.band), drawn

    return min(waiting, key=order, default=None)


def noise(found: Sequence[Label], changed: dict[tuple[UUID, int], bool]) -> Noise:
    """Stratified by band: each band's share of changed labels weighted by its size, Jeffreys' prior within (pure)."""
    sizes = Counter(each.band for each in found)
    looked = {(each.labelling, each.step): each.band for each in found if (each.labelling, each.step) in changed}
    looks = Counter(looked.values())
    hits = Counter(band for key, band in looked.items() if changed[key])
    counts = (len(found), sum(size for band, size in sizes.items() if band < len(BANDS)), len(looked), hits.total())
    if not found or any(looks[band] < min(FEWEST, size) for band, size in sizes.items()):
        return Noise(*counts, None, None, None)
    mean, variance = 0.0, 0.0
    for band, size in sizes.items():
        share, prior = size / len(found), (hits[band] + 0.5) / (looks[band] + 1)
        unseen = 1 - looks[band] / size  # nothing is uncertain about a band that was looked at in full
        mean += share * (unseen * prior + (1 - unseen) * hits[band] / looks[band])
        variance += share**2 * unseen * prior * (1 - prior) / (looks[band] + 2)
    reach = Z * math.sqrt(variance)
    return Noise(*counts, mean, max(0.0, mean - reach), min(1.0, mean + reach))


def next_for(person: User, *, round_: Round, model: RewardModel) -> Label | None:
    return draw(labels(round_, model), looked_at=set(_looks(round_)), person=person.pk)


def noise_of(round_: Round, model: RewardModel) -> Noise:
    return noise(labels(round_, model), _looks(round_))


def _looks(round_: Round) -> dict[tuple[UUID, int], bool]:
    looks = SecondLook.objects.filter(labelling__task__round=round_)
    rows = looks.values_list("labelling", "step", "first_rating", "rating")
    return {(labelling, step): (first < 0) != (rating < 0) for labelling, step, first, rating in rows}


def give(*, person: User, model: RewardModel, labelling: UUID, step: int, rating: int) -> SecondLook:
    """Stores what the second look says; only now the first label is told. Raises NoLabel, LookedAt."""
    round_ = Round.objects.filter(tasks__labellings=labelling).first()
    found: list[Any] = labels(round_, model) if round_ else []
    label = next((each for each in found if (each.labelling, each.step) == (labelling, step)), None)
    if label is None or label.annotator == person.pk:
        raise NoLabel("There is no label to look at here, or it is your own.")
    columns = {"first_rating": label.rating, "rating": rating, "chance": label.chance}
    try:
        with transaction.atomic():
            return SecondLook.objects.create(
                labelling_id=labelling, step=step, person=person, reward_model=model, **columns
            )
    except IntegrityError as error:
        raise LookedAt("Somebody has looked at this label in the meantime.") from error
