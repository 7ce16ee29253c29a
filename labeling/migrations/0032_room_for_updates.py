from typing import Any

from django.db import migrations

# What changes with every task. With room left on its page, a row that changes stays there and its indexes are let be.
FILLED = {"labeling_assignment": 80, "labeling_tally": 50, "labeling_membership": 80}


def leave_room(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        for table, share in FILLED.items():
            schema_editor.execute(f"ALTER TABLE {table} SET (fillfactor = {share})")


class Migration(migrations.Migration):
    dependencies = [("labeling", "0031_narrower_seats")]

    operations = [migrations.RunPython(leave_room, migrations.RunPython.noop)]
