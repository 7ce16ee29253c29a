from typing import Any

from django.db import migrations, models

import labeling.models.people
from labeling import names


def fill(apps: Any, schema_editor: Any) -> None:
    """Of people whose names look alike the first keeps the name; the others sign in with the very spelling of theirs."""
    user, taken = apps.get_model("labeling", "User"), set[str]()
    for person in user.objects.order_by("date_joined", "pk").iterator():
        made = names.key(person.username)
        person.name_key = f"{made}#{person.pk.hex}" if made in taken else made
        taken.add(made)
        user.objects.filter(pk=person.pk).update(name_key=person.name_key)


class Migration(migrations.Migration):
    dependencies = [("labeling", "0015_phase_closes_full_rounds")]

    operations = [
        migrations.AlterModelManagers(name="user", managers=[]),
        migrations.AddField(
            model_name="user",
            name="name_key",
            field=models.CharField(max_length=600, null=True, editable=False),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="user",
            name="name_key",
            field=labeling.models.people.NameKeyField(max_length=600, unique=True, editable=False),
        ),
    ]
