"""Chooses labels by one filter, for previews, trainings, exports and the command line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from labeling.errors import DomainError
from labeling.models import ConsensusMethod, Overlap, Phase, Round, Split, User
from labeling.rules.words import GIVEN_UP

# Left out unless included, in the order in which they are counted.
WITHDRAWN = "withdrawn"  # always left out, and counted first
INCLUDABLE = ("screening", "gold", *GIVEN_UP, *Overlap.values)
METHODS = (ConsensusMethod.MAJORITY, ConsensusMethod.DAWID_SKENE)  # a ruling stands wherever there is one


class UnknownChoice(DomainError):
    """A LabelFilter's `field` has an unknown value."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class LabelFilter:
    """Chooses from the current labels those of the phases, rounds and split (none: all).

    `annotators`, `without_annotators`: user names; a ruling is its author's. `include`: which of INCLUDABLE to add.
    `consensus`: one of METHODS, for these people's consensus in place of each one's labels.
    """

    phases: Sequence[UUID | str] = ()
    rounds: Sequence[UUID | str] = ()
    split: str = ""
    annotators: Sequence[str] = ()
    without_annotators: Sequence[str] = ()
    include: Sequence[str] = ()
    consensus: str = ""

    @property
    def leaves_out(self) -> list[str]:
        return [WITHDRAWN, *(reason for reason in INCLUDABLE if reason not in self.include)]

    def check(self) -> None:
        """Raises UnknownChoice for the first unknown value: a typo would choose too much, or too little."""
        for field, known, message in self._known():
            given = getattr(self, field)
            asked = {given} - {""} if isinstance(given, str) else {*map(str, given)}
            if unknown := asked - {*map(str, known)}:
                raise UnknownChoice(field, message.format(min(unknown)))

    def _known(self) -> Iterator[tuple[str, Any, str]]:
        yield "phases", Phase.objects.filter(pk__in=self.phases).values_list("pk", flat=True), "There is no phase “{}”."
        yield "rounds", Round.objects.filter(pk__in=self.rounds).values_list("pk", flat=True), "There is no round “{}”."
        people = User.objects.values_list("username", flat=True)
        for field in ("annotators", "without_annotators"):
            yield field, people.filter(username__in=getattr(self, field)), "There is nobody called “{}”."
        for field, words in (("split", Split.values), ("include", INCLUDABLE), ("consensus", METHODS)):
            yield field, words, f"“{{}}” is not one of {', '.join(words)}."

    def of_tasks(self, prefix: str = "") -> Q:
        """The condition on phases, rounds and split, for rows with a task at the prefix."""
        asked = {"round__phase__in": self.phases, "round__in": self.rounds, "solution__problem__split": self.split}
        return Q(**{f"{prefix}{path}": value for path, value in asked.items() if value})

    def of_people(self, path: str) -> Q:
        """The condition on annotators, for rows with a user at the path."""
        chosen = Q(**{f"{path}__username__in": self.annotators}) if self.annotators else Q()
        if self.without_annotators:
            chosen &= ~Q(**{f"{path}__username__in": self.without_annotators})
        return chosen

    def as_json(self) -> dict[str, Any]:
        return {name: value if isinstance(value, str) else [*map(str, value)] for name, value in asdict(self).items()}
