from django.db import migrations, models


class Migration(migrations.Migration):
    """On its own: PostgreSQL changes no table whose rows have just been changed."""

    dependencies = [
        ('labeling', '0021_rulings_know_their_case'),
    ]

    operations = [
        migrations.AddConstraint(
            model_name='consensus',
            constraint=models.CheckConstraint(condition=models.Q(('method', 'adjudicated'), ('case__isnull', True), _connector='XOR'), name='a_ruling_has_its_case'),
        ),
    ]
