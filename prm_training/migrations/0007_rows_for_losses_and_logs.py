from typing import Any

import django.db.models.deletion
from django.db import migrations, models


KINDS = ["TrainingRun", "EvaluationRun", "ScoringRun", "Selection", "Publication", "Generation", "Import", "Verification"]


def into_rows(apps: Any, schema_editor: object) -> None:
    LogLine, LossPoint = (apps.get_model("prm_training", name) for name in ("LogLine", "LossPoint"))
    for kind in KINDS:
        runs = apps.get_model("prm_training", kind).objects
        for pk, log in runs.exclude(log="").values_list("pk", "log"):
            LogLine.objects.bulk_create([LogLine(run=pk, text=line) for line in log.split("\n")])
    for pk, curve in apps.get_model("prm_training", "TrainingRun").objects.values_list("pk", "loss_curve"):
        points = [LossPoint(run_id=pk, step=step, loss=loss) for step, loss in curve]
        LossPoint.objects.bulk_create(points, batch_size=5000)


class Migration(migrations.Migration):

    dependencies = [
        ('prm_training', '0006_one_way_to_make_a_round'),
    ]

    operations = [
        migrations.CreateModel(
            name='LogLine',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('run', models.UUIDField()),
                ('text', models.TextField(blank=True)),
            ],
            options={
                'indexes': [models.Index(fields=['run', 'id'], name='log_of_a_run')],
            },
        ),
        migrations.CreateModel(
            name='LossPoint',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('step', models.PositiveIntegerField()),
                ('loss', models.FloatField()),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='loss_points', to='prm_training.trainingrun')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('run', 'step'), name='one_loss_per_run_and_step')],
            },
        ),
        migrations.RunPython(into_rows, migrations.RunPython.noop),
    ]
