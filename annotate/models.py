"""One annotator's unfinished work."""

from django.conf import settings
from django.db import models

from labeling.models import Task
from labeling.models.origin import Identified


class Draft(Identified):
    """An annotator's work so far on a task. It outlives a lost lease and is deleted by the submission."""

    # The unique constraint below begins with it, and is its index too.
    task = models.ForeignKey(Task, models.CASCADE, related_name="drafts", db_index=False)
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="drafts")
    version = models.PositiveBigIntegerField(help_text="Rises with every save; older ones are refused.")
    content = models.JSONField(default=dict, help_text="Ratings, note, history and active time, as sent by the client.")
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "annotator"], name="one_draft_per_task_and_annotator"),
        ]

    def __str__(self) -> str:
        return f"draft {self.version} on {self.task_id}"


class Release(models.Model):
    """A task given back, kept for as long as it counts towards the limit."""

    id = models.BigAutoField(primary_key=True)
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="releases")
    released_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"release by {self.annotator_id} at {self.released_at}"
