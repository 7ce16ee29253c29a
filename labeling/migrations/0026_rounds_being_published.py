from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('labeling', '0025_links_to_accounts'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='round',
            name='round_status_is_known',
        ),
        migrations.AlterField(
            model_name='round',
            name='status',
            field=models.CharField(choices=[('publishing', 'Being published'), ('open', 'Open'), ('closed', 'Closed')], default='open', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['publishing', 'open', 'closed'])), name='round_status_is_known'),
        ),
    ]
