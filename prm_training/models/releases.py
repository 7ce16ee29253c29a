"""Releases of data: named, frozen versions of the labels."""

from __future__ import annotations

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q

from labeling.data.exporting import LabelFilter
from labeling.models.jobs import Run
from labeling.rules.words import RunKind


class DataRelease(Run):
    """The labels as they stood, as files with a card, in one archive that never changes."""

    KIND = RunKind.RELEASE.value

    name = models.CharField(
        max_length=96,
        unique=True,
        validators=[
            RegexValidator(r"\A[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?\Z", "Use letters, digits, and . _ - between.")
        ],
        help_text="Of the archive, its folder, and the data set on a hub.",
    )
    notes = models.TextField(blank=True, help_text="What it is, in Markdown; its card opens with them.")
    licence = models.CharField(max_length=100, blank=True, help_text="Of the labels, such as CC-BY-4.0.")
    labels = models.JSONField(default=dict, blank=True, help_text="Which labels: a LabelFilter.")
    file_formats = models.JSONField(default=list, help_text="Each in a folder of its own.")
    file = models.FileField(upload_to="releases", max_length=200, blank=True)
    size = models.PositiveBigIntegerField(null=True, blank=True, help_text="Bytes of the archive.")
    sha256 = models.CharField(max_length=64, blank=True, help_text="Of the archive.")
    card = models.JSONField(default=dict, blank=True, help_text="What it holds and how good it is, in numbers.")
    withdrawn_at = models.DateTimeField(null=True, blank=True, help_text="Since then it can't be downloaded.")
    withdrawn_because = models.TextField(blank=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="a_data_release_has_a_name")]

    def __str__(self) -> str:
        return self.name

    @property
    def label_filter(self) -> LabelFilter:
        return LabelFilter(**self.labels)
