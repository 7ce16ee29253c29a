"""Acts on phases: make one, change its settings. A change of the guidelines is a new version; the old one is kept."""

from typing import Any

from django.db import transaction

from labeling.errors import DomainError
from labeling.models import Guidelines, Phase


class KindIsFixed(DomainError):
    code = "kind_is_fixed"
    status = 409


@transaction.atomic
def create(**settings: Any) -> Phase:
    """`settings` are the columns of Phase. Raises IntegrityError when the name is taken."""
    phase = Phase.objects.create(**settings)
    Guidelines.objects.create(phase=phase, version=phase.guidelines_version, text=phase.instructions)
    return phase


@transaction.atomic
def change(*, phase: Phase, settings: dict[str, Any]) -> Phase:
    """Changes the given settings; labels that exist stay as they are.

    Raises KindIsFixed for another kind once the phase has rounds: their tasks were put up for this one.
    """
    phase = Phase.objects.select_for_update().get(pk=phase.pk)
    if settings.get("kind", phase.kind) != phase.kind and phase.rounds.exists():
        raise KindIsFixed("The kind can't change any more: rounds of this phase exist.")
    if settings.get("instructions", phase.instructions) != phase.instructions:
        Guidelines.objects.get_or_create(
            phase=phase, version=phase.guidelines_version, defaults={"text": phase.instructions}
        )
        phase.guidelines_version += 1
        Guidelines.objects.create(phase=phase, version=phase.guidelines_version, text=settings["instructions"])
    for name, value in settings.items():
        setattr(phase, name, value)
    phase.save()
    return phase
