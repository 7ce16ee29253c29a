"""Only where new ids come from: nothing of the table changes, which SQLite would write anew."""

from django.db import migrations, models

import labeling.models.ids


class Migration(migrations.Migration):
    dependencies = [
        ("labeling", "0019_what_its_holder_is_shown"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="solution",
                    name="id",
                    field=models.UUIDField(
                        default=labeling.models.ids.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
            ]
        ),
    ]
