"""Who works here: users and the phases they may label in."""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models


class Role(models.TextChoices):
    ANNOTATOR = "annotator", "Annotator"
    ADMIN = "admin", "Admin"
    ML_STAFF = "ml_staff", "ML staff"


class User(AbstractUser):
    """A person who signs in; imported labelers are users that can't."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    role = models.CharField(max_length=16, choices=Role, default=Role.ANNOTATOR)
    preferences = models.JSONField(default=dict, blank=True, help_text="Keys, text size, tours seen; the client's own.")

    class Meta(AbstractUser.Meta):
        constraints = [
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="user_role_is_known"),
        ]

    @property
    def is_admin(self) -> bool:
        return self.is_superuser or self.role == Role.ADMIN

    @property
    def is_ml_staff(self) -> bool:
        return self.is_superuser or self.role == Role.ML_STAFF

    @property
    def sees_everything(self) -> bool:
        """Admins and ML staff read the whole campaign; annotators only their own part."""
        return self.is_admin or self.is_ml_staff


class Membership(models.Model):
    """An annotator's place in a phase."""

    phase = models.ForeignKey("labeling.Phase", models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    screened_at = models.DateTimeField(null=True, blank=True, help_text="When the last screening task was labelled.")
    screening_agreement = models.FloatField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["phase", "user"], name="one_membership_per_user_and_phase"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.phase}"
