"""One annotator's unfinished work."""

import uuid

from django.conf import settings
from django.db import models

from labeling.models import Task


class Draft(models.Model):
    """What an annotator has so far on a task. It outlives a lost lease and goes with the submission."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, models.CASCADE, related_name="drafts")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="drafts")
    version = models.PositiveBigIntegerField(help_text="Rises with every save; an older one is refused.")
    content = models.JSONField(help_text="Ratings, note, history and active time, as the client sent them.")
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "annotator"], name="one_draft_per_task_and_annotator"),
        ]

    def __str__(self) -> str:
        return f"draft {self.version} on {self.task_id}"
