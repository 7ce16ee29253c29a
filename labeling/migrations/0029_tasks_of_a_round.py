import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('labeling', '0028_fill_tallies'),
    ]

    operations = [
        migrations.AlterField(
            model_name='task',
            name='round',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='labeling.round'),
        ),
        migrations.AddIndex(
            model_name='task',
            index=models.Index(fields=['round', 'id'], name='tasks_of_a_round'),
        ),
    ]
