from typing import Any

from django.db import migrations
from django.db.models import Count, Q
from django.utils import timezone


def fill(apps: Any, schema_editor: Any) -> None:
    Round, Tally = (apps.get_model("labeling", name) for name in ("Round", "Tally"))
    Labelling, Task, Assignment = (apps.get_model("labeling", name) for name in ("Labelling", "Task", "Assignment"))
    now = timezone.localtime()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    real = Q(task__is_gold=False)
    counts = {
        "done": Count("pk", filter=real),
        "on_gold": Count("pk", filter=~real),
        "on_day": Count("pk", filter=Q(submitted_at__gte=midnight)),
    }
    said = Labelling.objects.filter(superseded_at=None).order_by().values("task__round", "annotator")
    rows = (
        Tally(round_id=row.pop("task__round"), annotator_id=row.pop("annotator"), day=now.date(), **row)
        for row in said.annotate(**counts).iterator()
    )
    Tally.objects.bulk_create(rows, batch_size=1000)
    tasks = Task.objects.filter(is_gold=False).order_by().values_list("round").annotate(Count("pk"))
    for pk, number in tasks.iterator():
        Round.objects.filter(pk=pk).update(task_count=number)
    seats = Assignment.objects.filter(seat__isnull=False).order_by().values_list("round").annotate(Count("pk"))
    for pk, number in seats.iterator():
        Round.objects.filter(pk=pk).update(seat_count=number)


class Migration(migrations.Migration):
    dependencies = [("labeling", "0027_tallies")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
