from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("labeling", "0034_tallies_keep_time")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="sessions_ended",
            field=models.PositiveIntegerField(
                default=0, editable=False, help_text="How often all of them were; no session outlives a change."
            ),
        ),
    ]
