from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('prm_training', '0007_rows_for_losses_and_logs'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='evaluationrun',
            name='log',
        ),
        migrations.RemoveField(
            model_name='generation',
            name='log',
        ),
        migrations.RemoveField(
            model_name='import',
            name='log',
        ),
        migrations.RemoveField(
            model_name='publication',
            name='log',
        ),
        migrations.RemoveField(
            model_name='scoringrun',
            name='log',
        ),
        migrations.RemoveField(
            model_name='selection',
            name='log',
        ),
        migrations.RemoveField(
            model_name='trainingrun',
            name='log',
        ),
        migrations.RemoveField(
            model_name='trainingrun',
            name='loss_curve',
        ),
        migrations.RemoveField(
            model_name='verification',
            name='log',
        ),
    ]
