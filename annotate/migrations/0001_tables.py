import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('labeling', '0001_tables'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Release',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('released_at', models.DateTimeField()),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='releases', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('version', models.PositiveBigIntegerField(help_text='Rises with every save; older ones are refused.')),
                ('content', models.JSONField(default=dict, help_text='Ratings, note, history and active time, as sent by the client.')),
                ('saved_at', models.DateTimeField()),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to=settings.AUTH_USER_MODEL)),
                ('task', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to='labeling.task')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('task', 'annotator'), name='one_draft_per_task_and_annotator')],
            },
        ),
    ]
