"""Acts on phases: create one, clone it, change its settings, and preview the effects of a change.

A change of the guidelines is a new version; the old one is kept.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db import transaction
from django.forms.models import model_to_dict

from labeling import audit
from labeling.campaign import rounds, screening
from labeling.errors import DomainError
from labeling.models import (
    Assignment,
    Consensus,
    Guidelines,
    Membership,
    Phase,
    PhaseStatus,
    RatedCompletion,
    RoundStatus,
    User,
)
from labeling.rules import profiles
from labeling.rules.audited import AuditAct
from labeling.rules.profiles import Profile

MOVES: dict[str, set[str]] = {
    PhaseStatus.DRAFT: {PhaseStatus.RUNNING, PhaseStatus.ARCHIVED},
    PhaseStatus.RUNNING: {PhaseStatus.PAUSED, PhaseStatus.CLOSED},
    PhaseStatus.PAUSED: {PhaseStatus.RUNNING, PhaseStatus.CLOSED},
    PhaseStatus.CLOSED: {PhaseStatus.RUNNING, PhaseStatus.ARCHIVED},
    PhaseStatus.ARCHIVED: {PhaseStatus.CLOSED},
}
Applies = Literal["at_once", "next_claim", "next_round"]
APPLIES: dict[str, Applies] = {
    **dict.fromkeys(["lease_minutes", "time_limit_minutes", "screening_attempts"], "next_claim"),
    **dict.fromkeys(["pause_below", "overlap_cap"], "next_claim"),
    **dict.fromkeys(["sources", "generators", "overlap", "shared_rate", "gold_set", "gold_rate"], "next_round"),
}
NOT_CLONED = {"name", "status", "guidelines_version"}


class KindIsFixed(DomainError, code="kind_is_fixed", status=409):
    """Labels were collected under the old kind, or the old protocol."""


class KindInUse(DomainError, code="kind_in_use", status=409):
    """Labels name the kind of error."""


class NoSuchMove(DomainError, code="no_such_move", status=409):
    """The phase's status can't change like this."""


@dataclass(frozen=True)
class Effect:
    """The effect of changing one setting: when it applies, and how many tasks in hand and people it affects."""

    setting: str
    before: Any
    after: Any
    applies: Applies
    tasks_in_hand: int
    people: int


@transaction.atomic
def create(*, by: User | None = None, **settings: Any) -> Phase:
    """Creates a phase from `settings`, columns of Phase; a profile among them sets its own columns if they are missing.

    Raises IntegrityError if the name is taken.
    """
    if "profile" in settings:
        settings = profiles.settings_of(Profile(settings["profile"])) | settings
    phase = Phase.objects.create(**settings)
    Guidelines.objects.create(phase=phase, version=phase.guidelines_version, text=phase.instructions)
    audit.record(by=by, act=AuditAct.CREATE, on=phase, after=settings)
    return phase


@transaction.atomic
def clone(*, phase: Phase, name: str, with_members: bool, by: User) -> Phase:
    """Creates a draft with the same settings, its guidelines at version 1, with or without the same people."""
    settings = {key: value for key, value in model_to_dict(phase).items() if key not in NOT_CLONED}
    made = create(by=by, name=name, status=PhaseStatus.DRAFT, **settings)
    if with_members:
        people = phase.memberships.values_list("user", "role")
        Membership.objects.bulk_create(Membership(phase=made, user_id=pk, role=role) for pk, role in people)
    return made


@transaction.atomic
def change_settings(*, phase: Phase, settings: dict[str, Any], now: datetime, by: User | None = None) -> Phase:
    """Changes the given settings; existing labels stay as they are.

    Closing a phase closes its rounds; opening it again reopens its screening, so that newcomers can't skip it, and
    leaves the others closed. Raises KindIsFixed for another kind, or other steps to rate, once the phase has rounds,
    whose tasks were published for this one; KindInUse if a kind of error is missing that labels name; NoSuchMove for
    a status that can't follow the present one.
    """
    phase = Phase.objects.select_for_update().get(pk=phase.pk)
    changed = _changed(phase, settings)
    _check_changes(phase, changed)
    if "instructions" in changed:
        changed["guidelines_version"] = _new_guidelines(phase, changed["instructions"])
    if changed.get("status") == PhaseStatus.CLOSED:
        for each in phase.rounds.filter(status=RoundStatus.OPEN):
            rounds.close(round_id=each.pk, now=now, by=by)
    is_reopened = (phase.status, changed.get("status")) == (PhaseStatus.CLOSED, PhaseStatus.RUNNING)
    audit.change_row(phase, changed, by=by)
    # Newcomers need the screening, which was closed with the phase. Only now: a closed phase reopens no round.
    if is_reopened:
        for each in phase.rounds.filter(number=screening.SCREENING):
            rounds.reopen(round_id=each.pk, by=by)
    return phase


def effects(*, phase: Phase, settings: dict[str, Any], now: datetime) -> list[Effect]:
    """The effects that `change_settings` with the same settings would have. Raises the same errors."""
    changed = _changed(phase, settings)
    _check_changes(phase, changed)
    in_hand = Assignment.objects.in_hand(now=now).filter(round__phase=phase).count()
    members = list(phase.memberships.labelling())
    rows = []
    for name, value in changed.items():
        applies = APPLIES.get(name, "at_once")
        people = _who_change_sides(phase, members, value) if name == "pass_mark" else len(members)
        rows.append(Effect(name, getattr(phase, name), value, applies, in_hand if applies == "at_once" else 0, people))
    return rows


def guidelines(*, phase: Phase, version: int) -> Guidelines | None:
    """The guidelines in that version, which never changes."""
    if version == phase.guidelines_version:
        return Guidelines(phase=phase, version=version, text=phase.instructions)
    return phase.guidelines.filter(version=version).first()


def guidelines_in_force(*, phase: Phase, at: datetime) -> int:
    """The version that annotators were given at that time."""
    # Version 2 was in force until version 3 came. The row of version 1 may be younger than its text.
    later = phase.guidelines.filter(created_at__gt=at, version__gt=1).order_by("version").first()
    return later.version - 1 if later else phase.guidelines_version


def _who_change_sides(phase: Phase, members: list[Membership], pass_mark: float) -> int:
    """Counts the screened people who would pass instead of fail, or fail instead of pass, with another pass mark."""
    after = Phase(pass_mark=pass_mark)
    states = ([screening.state(phase=each, membership=m, has_round=True) for each in (phase, after)] for m in members)
    return sum(before != then for before, then in states)


def _changed(phase: Phase, settings: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if getattr(phase, name) != value}


def _check_changes(phase: Phase, changed: dict[str, Any]) -> None:
    if "kind" in changed and phase.rounds.exists():
        raise KindIsFixed("The kind can no longer change: this phase has rounds.")
    if "rates_all_steps" in changed and phase.rounds.exists():
        raise KindIsFixed("Which steps are rated can no longer change: this phase has rounds.")
    if "error_kinds" in changed:
        _check_kinds_in_use(phase, {kind["key"] for kind in changed["error_kinds"]})
    if "status" in changed and changed["status"] not in MOVES[phase.status]:
        raise NoSuchMove(f"A phase that is {phase.status} can't become {changed['status']}.")


def _check_kinds_in_use(phase: Phase, keys: Collection[str]) -> None:
    gone = {kind["key"]: kind["name"] for kind in phase.error_kinds if kind["key"] not in keys}
    if used := next((name for key, name in gone.items() if _is_in_use(phase, key)), None):
        raise KindInUse(f"“{used}” can't be taken away: there are labels of this kind. It can be renamed.")


def _is_in_use(phase: Phase, key: str) -> bool:
    labels = RatedCompletion.objects.filter(labelling__task__round__phase=phase, error_kind=key)
    ruled = Consensus.objects.filter(task__round__phase=phase, error_kinds__isnull=False)
    return labels.exists() or any(key in (each.error_kinds or ()) for each in ruled.only("error_kinds"))


def _new_guidelines(phase: Phase, text: str) -> int:
    old = {"text": phase.instructions}
    Guidelines.objects.get_or_create(phase=phase, version=phase.guidelines_version, defaults=old)
    return Guidelines.objects.create(phase=phase, version=phase.guidelines_version + 1, text=text).version
