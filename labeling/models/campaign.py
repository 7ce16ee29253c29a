"""A labelling campaign: phases, rounds, tasks and the leases on them."""

from __future__ import annotations

from typing import Any, Self

from django.db import models
from django.db.models import Q

from labeling.models.origin import CreatedAt, Imported
from labeling.models.people import User
from labeling.rules.profiles import Meanings, Profile
from labeling.rules.ratings import Protocol
from labeling.rules.words import LaterSteps, PhaseKind


class PhaseStatus(models.TextChoices):
    DRAFT = "draft", "Draft"
    RUNNING = "running", "Running"
    PAUSED = "paused", "Paused"
    CLOSED = "closed", "Closed"
    ARCHIVED = "archived", "Archived"


class ConsensusMethod(models.TextChoices):
    """The ways in which several labellings of a task become one."""

    ADJUDICATED = "adjudicated", "A ruling"
    MAJORITY = "majority", "Majority"
    DAWID_SKENE = "dawid_skene", "Dawid-Skene"


class PhaseQuerySet(models.QuerySet[Any]):
    def visible_to(self, user: User) -> Self:
        if user.sees_everything:
            return self
        return self.filter(memberships__user=user).exclude(status__in=["draft", "archived"])

    def judged_by(self, user: User) -> Self:
        """Selects the phases in which the user is an expert; admins are experts in all."""
        return self if user.is_admin else self.filter(memberships__user=user, memberships__role="expert")

    def run_by(self, user: User) -> Self:
        """Selects the phases whose loop the user runs, as ML staff of the phase; admins and superusers run all."""
        return self if user.is_admin else self.filter(memberships__user=user, memberships__role="ml_staff")

    def only_labelled_by(self, user: User) -> Self:
        """Selects the phases in which the user labels without being an expert."""
        return self.none() if user.is_admin else self.filter(memberships__user=user, memberships__role="annotator")


class Phase(Imported):
    """A labelling campaign with one protocol and its settings."""

    name = models.CharField(max_length=100, unique=True)
    kind = models.CharField(max_length=16, choices=PhaseKind.choices, default=PhaseKind.SOLUTIONS.value)
    status = models.CharField(max_length=8, choices=PhaseStatus, default=PhaseStatus.RUNNING)
    profile = models.CharField(
        max_length=16,
        choices=Profile.choices,
        default=Profile.MATHEMATICS.value,
        db_default=Profile.MATHEMATICS.value,
        help_text="The domain, whose words the annotators' page uses.",
    )
    instruction = models.TextField(
        blank=True, default="", db_default="", help_text="The sentence below the problem; empty: the profile's."
    )
    meanings = models.JSONField(
        default=dict,
        db_default={},
        blank=True,
        help_text="What great, okay and bad mean; one that is missing or empty means what the profile says.",
    )
    instructions = models.TextField(blank=True, help_text="The guidelines, in Markdown, shown to annotators.")
    guidelines_version = models.PositiveIntegerField(default=1, help_text="Rises when the guidelines change.")
    sources = models.JSONField(
        default=list, blank=True, help_text="The imports and generations that rounds draw from; empty: the whole pool."
    )
    generators = models.JSONField(default=list, blank=True, help_text="Only solutions by these generators; empty: any.")
    overlap = models.PositiveSmallIntegerField(default=1, help_text="Labellings that a task of a new round needs.")
    shared_rate = models.FloatField(
        default=0.1, help_text="With an overlap of 1: the share of a round's tasks that two people label."
    )
    overlap_cap = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="Where people disagree, one more is asked, up to so many; null: never.",
    )
    settles_by = models.CharField(
        max_length=16,
        choices=ConsensusMethod,
        default=ConsensusMethod.ADJUDICATED,
        help_text="Where people disagree, the loop waits for rulings before it trains, or trains on this consensus.",
    )
    lease_minutes = models.PositiveIntegerField(default=30)
    time_limit_minutes = models.PositiveIntegerField(
        null=True, blank=True, help_text="Leases are not renewed beyond it; null: no limit."
    )
    rates_all_steps = models.BooleanField(
        default=False, db_default=False, help_text="A Bad step doesn't end the labelling: every step is rated."
    )
    carries_errors = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Where all steps are rated: what builds on a mistake is Bad, too; else judged on its own.",
    )
    finishes_by_hand = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Alternatives only: the annotator says when the solution is finished; else it ends with an answer.",
    )
    later_steps = models.CharField(max_length=8, choices=LaterSteps.choices, default=LaterSteps.DIMMED.value)
    asks_alternatives = models.BooleanField(default=False, help_text="Rate alternatives for the first negative step.")
    asks_critiques = models.BooleanField(default=False, help_text="Rate or write critiques of the first negative step.")
    asks_progress = models.BooleanField(default=False, help_text="Rate how far the solution got before it.")
    asks_why_unsure = models.BooleanField(
        default=False, help_text="A step flagged as unsure needs a note on why; whole solutions only."
    )
    error_kinds = models.JSONField(
        default=list,
        db_default=[],
        blank=True,
        help_text="Kinds of error to ask for after Bad: key, name, parent, help; empty: none is asked.",
    )
    asks_error_words = models.BooleanField(
        default=False, db_default=False, help_text="The words of a Bad step that are wrong can be marked."
    )
    asks_root_cause = models.BooleanField(
        default=False, db_default=False, help_text="An earlier step can be named that is to blame for a Bad one."
    )
    asks_result = models.BooleanField(
        default=False, db_default=False, help_text="Ask at the end whether the final result is right."
    )
    shows_reference_answer = models.BooleanField(default=True, help_text="As the “current guess”.")
    alternatives_per_step = models.PositiveSmallIntegerField(default=4)
    generator_url = models.CharField(
        max_length=200, blank=True, help_text="An OpenAI-compatible endpoint, such as http://host:8000/v1."
    )
    generator_model = models.CharField(
        max_length=200, blank=True, help_text="The endpoint's model; without a URL, a local path or hub name."
    )
    pass_mark = models.FloatField(default=0.75, help_text="The agreement with gold that passes the screening.")
    screening_attempts = models.PositiveSmallIntegerField(default=1, help_text="Attempts allowed.")
    gold_set = models.CharField(
        max_length=100, blank=True, help_text="Gold set hidden among the tasks of new rounds; empty: none."
    )
    gold_rate = models.FloatField(default=0, help_text="The share of a round's tasks that is gold.")
    pause_below = models.FloatField(
        null=True, blank=True, help_text="The accuracy on gold below which people are paused; null: never."
    )
    gives_feedback = models.BooleanField(default=True, help_text="Show the gold labels after each screening task.")
    shows_consensus = models.BooleanField(
        default=False,
        help_text="Once a round is closed, show annotators where they differ from its consensus or a ruling.",
    )
    shows_gold = models.BooleanField(
        default=False, help_text="Once a round is closed, show annotators where they differ from its hidden gold."
    )
    closes_full_rounds = models.BooleanField(
        default=False, help_text="Close a round by itself once everything in it is labelled."
    )
    created_at = CreatedAt()

    objects = PhaseQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=PhaseKind.values), name="phase_kind_is_known"),
            models.CheckConstraint(condition=Q(status__in=PhaseStatus.values), name="phase_status_is_known"),
            models.CheckConstraint(condition=Q(profile__in=Profile.values), name="phase_profile_is_known"),
            models.CheckConstraint(condition=Q(overlap__gte=1), name="phase_overlap_is_one_or_more"),
            models.CheckConstraint(condition=Q(settles_by__in=ConsensusMethod.values), name="settles_by_is_known"),
            models.CheckConstraint(condition=Q(lease_minutes__gte=1), name="phase_lease_is_a_minute_or_more"),
            models.CheckConstraint(condition=Q(time_limit_minutes__gte=1), name="time_limit_is_a_minute_or_more"),
            models.CheckConstraint(condition=Q(later_steps__in=LaterSteps.values), name="later_steps_is_known"),
            models.CheckConstraint(
                condition=Q(alternatives_per_step__range=(1, 20)), name="alternatives_per_step_is_1_to_20"
            ),
            models.CheckConstraint(condition=Q(pass_mark__range=(0, 1)), name="pass_mark_is_a_share"),
            models.CheckConstraint(condition=Q(gold_rate__range=(0, 1)), name="gold_rate_is_a_share"),
            models.CheckConstraint(condition=Q(shared_rate__range=(0, 1)), name="shared_rate_is_a_share"),
            models.CheckConstraint(condition=Q(pause_below__range=(0, 1)), name="pause_below_is_a_share"),
            models.CheckConstraint(condition=Q(screening_attempts__gte=1), name="screening_may_be_tried_once"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shown_instruction(self) -> str:
        return self.instruction or Profile(self.profile).traits.instruction

    @property
    def shown_meanings(self) -> Meanings:
        own = {name: text for name, text in self.meanings.items() if text}
        return Profile(self.profile).traits.meanings._replace(**own)

    def protocol(self, *, step_count: int) -> Protocol:
        """Returns the rules for labellings of a solution of so many steps."""
        return Protocol(
            kind=self.kind,
            step_count=step_count,
            asks_alternatives=self.asks_alternatives,
            asks_critiques=self.asks_critiques,
            asks_progress=self.asks_progress,
            asks_why_unsure=self.asks_why_unsure,
            rates_all_steps=self.rates_all_steps,
            finishes_by_hand=self.finishes_by_hand,
            asks_result=self.asks_result,
            error_kinds=[kind["key"] for kind in self.error_kinds],
            asks_error_words=self.asks_error_words,
            asks_root_cause=self.asks_root_cause,
        )


class Guidelines(models.Model):
    """A version of a phase's guidelines, kept because labels were given under it."""

    phase = models.ForeignKey(Phase, models.CASCADE, related_name="guidelines", db_index=False)
    version = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    created_at = CreatedAt()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["phase", "version"], name="one_text_per_guidelines_version"),
        ]

    def __str__(self) -> str:
        return f"guidelines {self.version} of {self.phase}"
