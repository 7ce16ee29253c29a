from typing import Any

from django.db import migrations, models
from django.db.models import Max, Sum


def fill(apps: Any, schema_editor: Any) -> None:
    Labelling, Tally = (apps.get_model("labeling", name) for name in ("Labelling", "Tally"))
    said = Labelling.objects.filter(superseded_at=None).order_by().values_list("task__round", "annotator")
    sums = said.annotate(Sum("active_ms", default=0), Max("submitted_at"))
    for round_id, annotator_id, active_ms, last_at in sums.iterator():
        Tally.objects.filter(round=round_id, annotator=annotator_id).update(active_ms=active_ms, last_at=last_at)


class Migration(migrations.Migration):
    dependencies = [("labeling", "0033_submitted_seats_by_time")]

    operations = [
        migrations.AddField(
            model_name="tally",
            name="active_ms",
            field=models.BigIntegerField(default=0, help_text="Of all of them, gold too, as far as it is known."),
        ),
        migrations.AddField(
            model_name="tally",
            name="last_at",
            field=models.DateTimeField(
                null=True, help_text="When the last of them was submitted, as far as it is known."
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
