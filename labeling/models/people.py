"""People: users, and their places in phases."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Self

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from labeling.models.origin import CreatedAt, Identified, Imported
from labeling.rules import names
from labeling.rules.audited import AuditAct


class Role(models.TextChoices):
    ANNOTATOR = "annotator", "Annotator"
    ADMIN = "admin", "Admin"
    ML_STAFF = "ml_staff", "ML staff"


LONGEST_NAME = 150
TAKEN = "Somebody has this name, or one that looks like it."


class NameKeyField(models.CharField[str, str]):
    """`names.key` of the user name, updated with every save. Older look-alikes are told apart by a #."""

    def pre_save(self, model_instance: Any, add: bool) -> str:
        stored, made = getattr(model_instance, self.attname), names.key(model_instance.username)
        if stored.partition("#")[0] != made:  # no user name contains a #
            setattr(model_instance, self.attname, made)
        return str(getattr(model_instance, self.attname))


class People(UserManager["User"]):
    use_in_migrations = False

    def get_by_natural_key(self, username: str | None) -> User:
        """The user that signs in with this name: the one spelled so, or else the one that looks like it."""
        alike = self.filter(models.Q(username=username) | models.Q(name_key=names.key(username or "")))
        found = sorted(alike, key=lambda person: person.username != username)
        if not found:
            raise self.model.DoesNotExist
        return found[0]

    def check_is_free(self, username: str) -> str:
        """Returns the name. Raises ValidationError if it, or one that looks like it, is taken, or if it is too long."""
        if len(self.model.normalize_username(username)) > LONGEST_NAME:
            raise ValidationError(f"A name has at most {LONGEST_NAME} characters, with ligatures written out.")
        if self.filter(name_key=names.key(username)).exists():
            raise ValidationError(TAKEN)
        return username


class User(Imported, AbstractUser):
    """A person who signs in; imported labelers are users that can't."""

    role = models.CharField(max_length=16, choices=Role, default=Role.ANNOTATOR)
    preferences = models.JSONField(default=dict, blank=True, help_text="Keys, text size, tours seen; the client's.")
    name_key = NameKeyField(max_length=600, unique=True, editable=False)
    sessions_ended = models.PositiveIntegerField(
        default=0, editable=False, help_text="How often all sessions were ended; none outlives a change."
    )

    objects: ClassVar[People] = People()

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="user_role_is_known"),
        ]

    def save(self, *args: Any, **options: Any) -> None:
        """Saves the user. A new password ends all sessions and API tokens, even if Django's own command sets it."""
        is_changed = getattr(self, "_password", None) is not None and not self._state.adding
        super().save(*args, **options)
        if is_changed:
            self.api_tokens.all().delete()
            self.browser_sessions.all().delete()

    def get_session_auth_hash(self) -> str:
        """The hash that a session must still match: of Django's hash of the password, and of `sessions_ended`."""
        of_password = super().get_session_auth_hash()
        return f"{of_password} {self.sessions_ended}" if self.sessions_ended else of_password

    def end_sessions(self) -> None:
        """Ends all sessions, but for one whose hash is renewed afterwards."""
        User.objects.filter(pk=self.pk).update(sessions_ended=models.F("sessions_ended") + 1)
        self.refresh_from_db(fields=["sessions_ended"])

    @property
    def is_admin(self) -> bool:
        return self.is_superuser or self.role == Role.ADMIN

    @property
    def is_ml_staff(self) -> bool:
        return self.is_superuser or self.role == Role.ML_STAFF

    @property
    def is_expert(self) -> bool:
        """True if the user is an expert in at least one phase; admins are experts in all."""
        return self.is_admin or self.memberships.filter(role=PhaseRole.EXPERT).exists()

    @property
    def sees_everything(self) -> bool:
        """Admins and ML staff see the whole campaign; annotators only their own part."""
        return self.is_admin or self.is_ml_staff


class PhaseRole(models.TextChoices):
    ANNOTATOR = "annotator", "Annotator"
    EXPERT = "expert", "Expert: makes gold and adjudicates, too"
    ML_STAFF = "ml_staff", "ML staff: runs the loop and labels nothing"

    @classmethod
    def default_for(cls, role: str) -> PhaseRole:
        """The phase role that somebody of this role gets when added to a phase."""
        return cls.ML_STAFF if role == Role.ML_STAFF else cls.ANNOTATOR


LABELLING = [PhaseRole.ANNOTATOR, PhaseRole.EXPERT]


class MembershipQuerySet(models.QuerySet[Any]):
    def labelling(self) -> Self:
        """Leaves out ML staff."""
        return self.filter(role__in=LABELLING)


class Membership(models.Model):
    """A person's place in a phase."""

    phase = models.ForeignKey("labeling.Phase", models.CASCADE, related_name="memberships", db_index=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16, choices=PhaseRole, default=PhaseRole.ANNOTATOR)
    screened_at = models.DateTimeField(null=True, blank=True, help_text="When the last screening task was labelled.")
    screening_agreement = models.FloatField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Finished attempts at the screening.")
    is_let_in = models.BooleanField(default=False, help_text="Admitted by an admin, whatever the screening says.")
    paused_at = models.DateTimeField(null=True, blank=True)
    judged_since = models.DateTimeField(null=True, blank=True, help_text="Gold labelled before then does not count.")
    figures = models.JSONField(null=True, editable=False, help_text="Own numbers that are slow to compute, cached.")
    created_at = CreatedAt()

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["phase", "user"], name="one_membership_per_user_and_phase"),
            models.CheckConstraint(condition=models.Q(role__in=PhaseRole.values), name="phase_role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.phase}"

    @property
    def is_paused(self) -> bool:
        return self.paused_at is not None


class FormerMember(models.Model):
    """A person taken out of a phase, with their membership's columns: added again, they continue from there."""

    phase = models.ForeignKey("labeling.Phase", models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    membership = models.JSONField(encoder=DjangoJSONEncoder)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["phase", "user"], name="one_former_membership_per_user_and_phase"),
        ]

    def __str__(self) -> str:
        return f"{self.user}, formerly in {self.phase}"


class InvitationQuerySet(models.QuerySet[Any]):
    def open(self, *, now: datetime) -> Self:
        return self.filter(accepted_at=None, expires_at__gt=now)


class Invitation(Identified):
    """A link that admits one person, once. Only a hash of its secret is stored; revoking it makes it expire."""

    secret_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=16, choices=Role, default=Role.ANNOTATOR)
    phase = models.ForeignKey("labeling.Phase", models.CASCADE, null=True, blank=True, related_name="invitations")
    phase_role = models.CharField(max_length=16, choices=PhaseRole, default=PhaseRole.ANNOTATOR)
    person = models.ForeignKey(
        User,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="links",
        help_text="Whose account it opens; null: the link makes a new one.",
    )
    by = models.ForeignKey(User, models.PROTECT, related_name="invitations")
    created_at = CreatedAt()
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.OneToOneField(User, models.PROTECT, null=True, blank=True, related_name="invitation")

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_is_known"),
            models.CheckConstraint(
                condition=models.Q(phase_role__in=PhaseRole.values), name="invitation_phase_role_is_known"
            ),
            models.CheckConstraint(
                condition=~models.Q(phase_role=PhaseRole.ML_STAFF) | models.Q(role=Role.ML_STAFF),
                name="only_ml_staff_are_invited_to_run_a_phase",
            ),
            models.CheckConstraint(
                condition=models.Q(accepted_at=None, accepted_by=None)
                | models.Q(accepted_at__isnull=False, accepted_by__isnull=False),
                name="who_accepted_an_invitation_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"invitation of {self.role} to {self.phase or 'no phase'}"


class ApiToken(Identified):
    """A script's credential. The secret is shown once, and stored as a hash."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens", db_index=False)
    name = models.CharField(max_length=100)
    secret_hash = models.CharField(max_length=64, unique=True)
    created_at = CreatedAt()
    is_read_only = models.BooleanField(default=False)
    expires_at = models.DateTimeField(null=True, blank=True, help_text="Null: valid until revoked.")
    last_used_at = models.DateTimeField(null=True, blank=True, help_text="To the minute.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "name"], name="one_api_token_per_user_and_name"),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"


class BrowserSession(Identified):
    """A session that somebody signed in to, as their list shows it. It is deleted with Django's own row."""

    # Without a constraint: processes of an older version delete sessions, and know nothing of these.
    session = models.OneToOneField(Session, models.CASCADE, related_name="browser_session", db_constraint=False)
    user = models.ForeignKey(User, models.CASCADE, related_name="browser_sessions")
    started_at = CreatedAt()
    seen_at = models.DateTimeField(help_text="To some minutes.")
    address = models.CharField(max_length=45, blank=True)
    browser = models.CharField(max_length=300, blank=True, help_text="As it calls itself.")

    def __str__(self) -> str:
        return f"session of {self.user_id}"


class FailedSignIns(models.Model):
    """Counts the failed sign-ins from one network, or for one name, since a moment; for all web processes."""

    key = models.CharField(max_length=100, primary_key=True)
    since = models.DateTimeField(db_index=True)
    times = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.times} × {self.key}"


class Change(Identified):
    """A line of the audit log: who changed what. If nobody is named, Stepmark did it by itself."""

    at = CreatedAt()
    by = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="+")
    act = models.CharField(max_length=50, help_text="Such as `close` or `change`.")
    kind = models.CharField(max_length=50, help_text="What was changed: `phase`, `round`, `gold`, ...")
    subject = models.CharField(max_length=40, help_text="Its id.")
    name = models.CharField(max_length=200)
    before = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    after = models.JSONField(default=dict, blank=True, encoder=DjangoJSONEncoder)
    case = models.ForeignKey("labeling.Case", models.PROTECT, null=True, blank=True, related_name="effects")

    class Meta:
        indexes = [
            models.Index(fields=["-at"], name="changes_latest_first"),
            models.Index(fields=["subject"], name="changes_of_one_thing"),
            models.Index(
                fields=["-at"],
                condition=models.Q(act=AuditAct.FAIL_TO_SIGN_IN.value),
                name="failed_sign_ins_latest_first",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.act} {self.kind} {self.name}"
