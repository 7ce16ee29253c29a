import django.core.serializers.json
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
            name='RewardModel',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100)),
                ('directory', models.CharField(help_text='Relative to MODELS_ROOT.', max_length=500)),
                ('metrics', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Autopilot',
            fields=[
                ('policy', models.CharField(choices=[('convincing', 'Most convincing wrong answers of random problems'), ('whole_pool', 'Most convincing wrong answers of the whole pool'), ('uncertainty', 'Most uncertain of random problems'), ('random_wrong', 'Wrong answers at random'), ('uniform', 'Uniformly at random'), ('actprm', "What the model's ensemble is unsure of")], default='convincing', max_length=16)),
                ('size', models.PositiveIntegerField(blank=True, default=100, help_text='Solutions to pick, at most; null: any number.', null=True)),
                ('per_problem', models.PositiveIntegerField(blank=True, default=1, help_text='Solutions per problem, at most; null: any number.', null=True)),
                ('wrong_share', models.FloatField(default=0.8, help_text='Share picked among wrong answers; the rest among all.')),
                ('source', models.CharField(blank=True, help_text="Only this one of the phase's sources; empty: all.", max_length=100)),
                ('is_fresh', models.BooleanField(default=False, help_text='Only solutions that no phase has published.')),
                ('rank_by', models.CharField(choices=[('product', 'All steps are right (product)'), ('mean', 'Mean of the steps'), ('minimum', 'Weakest step')], default='product', help_text='Which score of the model ranks.', max_length=8)),
                ('random_share', models.FloatField(default=0.1, help_text='Share drawn uniformly from all candidates, to compare the policy with; staff alone see it.')),
                ('takes_unfinished', models.BooleanField(default=False, help_text='Also pick solutions without a final answer, such as those that were cut off.')),
                ('quota_by', models.CharField(blank=True, choices=[('subject', 'Subject'), ('level', 'Level'), ('generator', 'Generator')], help_text='Empty: no quotas.', max_length=9)),
                ('quotas', models.JSONField(blank=True, default=dict, help_text="Share of the policy's picks by value, such as a subject; the rest has any other value. Empty: the same number of each value.")),
                ('sets_suspects_aside', models.BooleanField(default=True, help_text="Don't pick probable mistakes of the grader.")),
                ('seed', models.PositiveIntegerField(default=0)),
                ('overlap', models.PositiveIntegerField(blank=True, help_text="How many people label a task; null: the phase's.", null=True)),
                ('gold_set', models.CharField(blank=True, help_text="Hidden among the tasks; null: the phase's; empty: none.", max_length=100, null=True)),
                ('phase', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='autopilot', serialize=False, to='labeling.phase')),
                ('status', models.CharField(choices=[('off', 'Off'), ('on', 'On'), ('stopped', 'Stopped')], default='off', max_length=8)),
                ('reason', models.TextField(blank=True, help_text='Why it stopped.')),
                ('switched_on_at', models.DateTimeField(blank=True, help_text='The last time.', null=True)),
                ('base', models.CharField(blank=True, help_text='Base of the model; empty: a small one is made.', max_length=500)),
                ('training', models.JSONField(blank=True, default=dict, help_text='epochs, learning_rate, seed')),
                ('least_candidates', models.PositiveIntegerField(default=1, help_text='It stops if fewer can be picked.')),
                ('most_rounds', models.PositiveIntegerField(default=5, help_text='Rounds that it may publish.')),
                ('most_labellings', models.PositiveIntegerField(blank=True, help_text='In its rounds, at most; null: no limit.', null=True)),
                ('patience_minutes', models.PositiveIntegerField(default=60, help_text='Minutes that a job may wait for a worker.')),
                ('webhook_url', models.CharField(blank=True, max_length=500)),
                ('webhook_secret', models.CharField(blank=True, editable=False, max_length=64)),
                ('emails', models.JSONField(blank=True, default=list)),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('left_out', models.ForeignKey(blank=True, help_text='A model that was held back and that it goes on without.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='prm_training.rewardmodel')),
                ('reward_model', models.ForeignKey(blank=True, help_text='The model to pick by; null: the current one, or none if the policy draws at random.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='%(class)ss', to='prm_training.rewardmodel')),
            ],
        ),
        migrations.CreateModel(
            name='Generation',
            fields=[
                ('run_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='labeling.run')),
                ('name', models.CharField(help_text="The solutions' source in the pool.", max_length=100)),
                ('generator_url', models.CharField(blank=True, help_text='An OpenAI-compatible endpoint, such as http://host:8000/v1.', max_length=200)),
                ('generator_model', models.CharField(help_text="The endpoint's model; without a URL, a local path or hub name.", max_length=200)),
                ('problem_source', models.CharField(blank=True, help_text='Only problems of this source; empty: all.', max_length=100)),
                ('split', models.CharField(blank=True, choices=[('train', 'Train'), ('test', 'Test (held out)')], default='train', help_text='Empty: both.', max_length=8)),
                ('most_problems', models.PositiveIntegerField(blank=True, help_text='Null: all of them.', null=True)),
                ('samples', models.PositiveSmallIntegerField(default=8, help_text='Solutions of each problem.')),
                ('temperature', models.FloatField(default=0.8)),
                ('max_tokens', models.PositiveIntegerField(default=1024, help_text='Of one solution.')),
                ('stop', models.JSONField(blank=True, default=list, help_text='Texts at which a solution ends.')),
                ('markup', models.CharField(blank=True, choices=[('mathematics', 'Mathematics'), ('markdown', 'Markdown'), ('plain', 'Plain text'), ('code', 'Code')], help_text='How steps are shown; empty until guessed from the first.', max_length=12)),
                ('is_markup_guessed', models.BooleanField(default=False, editable=False)),
                ('written_until', models.UUIDField(blank=True, editable=False, help_text='The last problem done.', null=True)),
                ('summary', models.JSONField(blank=True, default=dict)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('samples__gte', 1)), name='a_generation_writes_something'), models.CheckConstraint(condition=models.Q(('temperature__range', (0, 2))), name='temperature_is_0_to_2')],
            },
            bases=('labeling.run',),
        ),
        migrations.CreateModel(
            name='Import',
            fields=[
                ('run_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='labeling.run')),
                ('file', models.FileField(max_length=200, upload_to='uploads')),
                ('name', models.CharField(help_text="The uploaded file's name.", max_length=200)),
                ('file_format', models.CharField(choices=[('solutions', 'Solutions JSONL'), ('gsm8k', 'GSM8K model solutions'), ('prm800k', 'PRM800K labels'), ('trl', 'TRL stepwise supervision'), ('math_shepherd', 'Math-Shepherd'), ('openrlhf', 'OpenRLHF'), ('rlhflow', 'RLHFlow'), ('parquet', "Stepmark's Parquet"), ('processbench', 'ProcessBench'), ('processbench_labels', 'ProcessBench, as labels'), ('prmbench', 'PRMBench'), ('problems', 'Problems JSONL')], max_length=32)),
                ('target', models.CharField(blank=True, help_text='The source of solutions, the phase of PRM800K labels, or the gold set.', max_length=100)),
                ('split', models.CharField(blank=True, choices=[('train', 'Train'), ('test', 'Test (held out)')], help_text="Of the problems of which the file doesn't say it; empty: test for ProcessBench, train for others.", max_length=8)),
                ('benchmark', models.CharField(blank=True, help_text='Registers the problems under this name: no model is trained on them.', max_length=100)),
                ('columns', models.JSONField(blank=True, default=dict, help_text='Of solutions: columns of other names, each with the field it stands for.')),
                ('generator', models.CharField(blank=True, help_text='Of solutions that name none.', max_length=100)),
                ('is_atomic', models.BooleanField(default=False, help_text='Import nothing if any line is bad.')),
                ('markup', models.CharField(blank=True, choices=[('mathematics', 'Mathematics'), ('markdown', 'Markdown'), ('plain', 'Plain text'), ('code', 'Code')], help_text='How steps are shown; empty until guessed from the first.', max_length=12)),
                ('statement_markup', models.CharField(blank=True, choices=[('mathematics', 'Mathematics'), ('markdown', 'Markdown'), ('plain', 'Plain text'), ('code', 'Code')], help_text='How statements are shown; empty until guessed.', max_length=12)),
                ('is_markup_guessed', models.BooleanField(default=False, editable=False, help_text='Either of the two.')),
                ('head', models.JSONField(blank=True, default=list, help_text='[line, record or reason] pairs: the first 20.')),
                ('findings', models.JSONField(blank=True, default=dict, help_text='What the inspection found; once imported, what the import found.')),
                ('confirmed_at', models.DateTimeField(blank=True, help_text='Until then it is only inspected.', null=True)),
                ('counts', models.JSONField(blank=True, default=dict, help_text='How many were imported, were duplicates, were bad.')),
                ('errors', models.JSONField(blank=True, default=list, help_text='[line, reason] pairs: the first 10,000.')),
                ('undo_requested_at', models.DateTimeField(blank=True, help_text='When undoing it was requested.', null=True)),
                ('undone_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('file_format__in', ['solutions', 'gsm8k', 'prm800k', 'trl', 'math_shepherd', 'openrlhf', 'rlhflow', 'parquet', 'processbench', 'processbench_labels', 'prmbench', 'problems'])), name='import_format_is_known'), models.CheckConstraint(condition=models.Q(('split__in', ['', 'train', 'test'])), name='import_split_is_known')],
            },
            bases=('labeling.run',),
        ),
        migrations.CreateModel(
            name='PolicyReplay',
            fields=[
                ('run_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='labeling.run')),
                ('seeds', models.PositiveIntegerField(default=2, help_text='Each policy is tried with so many seeds.')),
                ('metrics', models.JSONField(blank=True, default=dict)),
                ('reward_model', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='policy_replays', to='prm_training.rewardmodel')),
            ],
            options={
                'abstract': False,
            },
            bases=('labeling.run',),
        ),
        migrations.CreateModel(
            name='EvaluationRun',
            fields=[
                ('run_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='labeling.run')),
                ('metrics', models.JSONField(blank=True, default=dict)),
                ('baseline_metrics', models.JSONField(blank=True, default=dict)),
                ('snapshot', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='evaluation_runs', to='labeling.snapshot')),
                ('baseline', models.ForeignKey(blank=True, help_text="The phase's current model when this was requested.", null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='prm_training.rewardmodel')),
                ('reward_model', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='evaluation_runs', to='prm_training.rewardmodel')),
            ],
            options={
                'abstract': False,
            },
            bases=('labeling.run',),
        ),
        migrations.CreateModel(
            name='Score',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('log_score', models.FloatField(help_text='Sum over steps of log P(right), neutral counted as right; null if the text is too long.', null=True)),
                ('mean_log_score', models.FloatField(help_text='Mean over steps of the same.', null=True)),
                ('least_log_score', models.FloatField(help_text='The least of them.', null=True)),
                ('step_log_probabilities', models.JSONField(help_text='log P(right) of each step that was read.')),
                ('confidence', models.FloatField(help_text="The ensemble's least, up to the first predicted error; null: it has none.", null=True)),
                ('deviation', models.FloatField(help_text='The greatest between its heads, of the same steps.', null=True)),
                ('reward_model', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='scores', to='prm_training.rewardmodel')),
                ('solution', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scores', to='labeling.solution')),
            ],
        ),
        migrations.CreateModel(
            name='ScoringRun',
            fields=[
                ('run_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='labeling.run')),
                ('summary', models.JSONField(blank=True, default=dict)),
                ('reward_model', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='scoring_runs', to='prm_training.rewardmodel')),
            ],
            options={
                'abstract': False,
            },
            bases=('labeling.run',),
        ),
        migrations.CreateModel(
            name='SecondLook',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('step', models.PositiveIntegerField()),
                ('first_rating', models.SmallIntegerField(choices=[(-1, 'Bad'), (0, 'Okay'), (1, 'Great')])),
                ('rating', models.SmallIntegerField(choices=[(-1, 'Bad'), (0, 'Okay'), (1, 'Great')])),
                ('chance', models.FloatField(help_text='P(first label) under the model.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('labelling', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='second_looks', to='labeling.labelling')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='second_looks', to=settings.AUTH_USER_MODEL)),
                ('reward_model', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='second_looks', to='prm_training.rewardmodel')),
            ],
        ),
        migrations.CreateModel(
            name='Selection',
            fields=[
                ('policy', models.CharField(choices=[('convincing', 'Most convincing wrong answers of random problems'), ('whole_pool', 'Most convincing wrong answers of the whole pool'), ('uncertainty', 'Most uncertain of random problems'), ('random_wrong', 'Wrong answers at random'), ('uniform', 'Uniformly at random'), ('actprm', "What the model's ensemble is unsure of")], default='convincing', max_length=16)),
                ('size', models.PositiveIntegerField(blank=True, default=100, help_text='Solutions to pick, at most; null: any number.', null=True)),
                ('per_problem', models.PositiveIntegerField(blank=True, default=1, help_text='Solutions per problem, at most; null: any number.', null=True)),
                ('wrong_share', models.FloatField(default=0.8, help_text='Share picked among wrong answers; the rest among all.')),
                ('source', models.CharField(blank=True, help_text="Only this one of the phase's sources; empty: all.", max_length=100)),
                ('is_fresh', models.BooleanField(default=False, help_text='Only solutions that no phase has published.')),
                ('rank_by', models.CharField(choices=[('product', 'All steps are right (product)'), ('mean', 'Mean of the steps'), ('minimum', 'Weakest step')], default='product', help_text='Which score of the model ranks.', max_length=8)),
                ('random_share', models.FloatField(default=0.1, help_text='Share drawn uniformly from all candidates, to compare the policy with; staff alone see it.')),
                ('takes_unfinished', models.BooleanField(default=False, help_text='Also pick solutions without a final answer, such as those that were cut off.')),
                ('quota_by', models.CharField(blank=True, choices=[('subject', 'Subject'), ('level', 'Level'), ('generator', 'Generator')], help_text='Empty: no quotas.', max_length=9)),
                ('quotas', models.JSONField(blank=True, default=dict, help_text="Share of the policy's picks by value, such as a subject; the rest has any other value. Empty: the same number of each value.")),
                ('sets_suspects_aside', models.BooleanField(default=True, help_text="Don't pick probable mistakes of the grader.")),
                ('seed', models.PositiveIntegerField(default=0)),
                ('overlap', models.PositiveIntegerField(blank=True, help_text="How many people label a task; null: the phase's.", null=True)),
                ('gold_set', models.CharField(blank=True, help_text="Hidden among the tasks; null: the phase's; empty: none.", max_length=100, null=True)),
                ('run_ptr', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, related_name='+', serialize=False, to='labeling.run')),
                ('summary', models.JSONField(blank=True, default=dict)),
                ('discarded_at', models.DateTimeField(blank=True, help_text='It will not be published.', null=True)),
                ('reward_model', models.ForeignKey(blank=True, help_text='The model to pick by; null: the current one, or none if the policy draws at random.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='%(class)ss', to='prm_training.rewardmodel')),
            ],
            bases=('labeling.run', models.Model),
        ),
        migrations.CreateModel(
            name='Publication',
            fields=[
                ('run_ptr', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, related_name='+', serialize=False, to='labeling.run')),
                ('overlap', models.PositiveIntegerField(default=1)),
                ('gold_set', models.CharField(blank=True, help_text="Hidden among the tasks; null: the phase's; empty: none.", max_length=100, null=True)),
                ('round', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='publication', to='labeling.round')),
                ('selection', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='publication', to='prm_training.selection')),
            ],
            options={
                'abstract': False,
            },
            bases=('labeling.run',),
        ),
        migrations.CreateModel(
            name='SelectionItem',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('rank', models.PositiveIntegerField()),
                ('log_score', models.FloatField(blank=True, null=True)),
                ('reason', models.CharField(max_length=200)),
                ('is_set_aside', models.BooleanField(default=False)),
                ('is_random', models.BooleanField(default=False, help_text='Drawn uniformly from all candidates, to compare the policy with.')),
                ('selection', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='items', to='prm_training.selection')),
                ('solution', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='selection_items', to='labeling.solution')),
            ],
        ),
        migrations.CreateModel(
            name='TrainingRun',
            fields=[
                ('run_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='labeling.run')),
                ('name', models.CharField(max_length=100)),
                ('base', models.CharField(blank=True, help_text='Hugging Face directory or hub name; empty: a small model is made.', max_length=500)),
                ('supervision', models.CharField(choices=[('process', 'Ratings of steps'), ('outcome', 'Final answers')], default='process', max_length=8)),
                ('labels', models.JSONField(blank=True, default=dict, help_text='Which labels: a LabelFilter without its phases.')),
                ('settings', models.JSONField(blank=True, default=dict, help_text='epochs, learning_rate, seed')),
                ('metrics', models.JSONField(blank=True, default=dict)),
                ('phases', models.ManyToManyField(blank=True, help_text='Those whose labels it uses.', related_name='+', to='labeling.phase')),
                ('snapshot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='training_runs', to='labeling.snapshot')),
            ],
            bases=('labeling.run',),
        ),
        migrations.AddField(
            model_name='rewardmodel',
            name='training_run',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='reward_model', to='prm_training.trainingrun'),
        ),
        migrations.CreateModel(
            name='LossPoint',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('step', models.PositiveIntegerField()),
                ('loss', models.FloatField()),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='loss_points', to='prm_training.trainingrun')),
            ],
        ),
        migrations.CreateModel(
            name='Verification',
            fields=[
                ('run_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='labeling.run')),
                ('problem', models.TextField()),
                ('solutions', models.JSONField(help_text='The steps of each solution.')),
                ('threshold', models.FloatField(default=0.5, help_text='A step with a lower P(right) is suspect.')),
                ('results', models.JSONField(default=list, help_text='Per solution: step_log_probabilities, steps_left_out.')),
                ('reward_model', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='verifications', to='prm_training.rewardmodel')),
            ],
            options={
                'abstract': False,
            },
            bases=('labeling.run',),
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('to', models.CharField(help_text='A URL or an e-mail address.', max_length=500)),
                ('news', models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('status', models.CharField(choices=[('waiting', 'Waiting'), ('sent', 'Sent'), ('failed', 'Failed')], default='waiting', max_length=8)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('next_try_at', models.DateTimeField()),
                ('error', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('autopilot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='prm_training.autopilot')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('status', 'waiting')), fields=['next_try_at'], name='notices_to_be_sent')],
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['waiting', 'sent', 'failed'])), name='notice_status_is_known')],
            },
        ),
        migrations.CreateModel(
            name='Promotion',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('is_rollback', models.BooleanField(default=False)),
                ('at', models.DateTimeField()),
                ('reason', models.TextField(blank=True)),
                ('overrode', models.TextField(blank=True, help_text='The obstacle that was overridden, if any.')),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('phase', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='promotions', to='labeling.phase')),
                ('previous', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='prm_training.rewardmodel')),
                ('reward_model', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='promotions', to='prm_training.rewardmodel')),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('overrode', ''), models.Q(('reason', ''), _negated=True), _connector='OR'), name='an_override_has_a_reason')],
            },
        ),
        migrations.AddConstraint(
            model_name='autopilot',
            constraint=models.CheckConstraint(condition=models.Q(('size__isnull', False), ('per_problem__isnull', False), _connector='OR'), name='autopilot_has_a_limit'),
        ),
        migrations.AddConstraint(
            model_name='autopilot',
            constraint=models.CheckConstraint(condition=models.Q(('wrong_share__gte', 0), ('wrong_share__lte', 1)), name='autopilot_wrong_share_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='autopilot',
            constraint=models.CheckConstraint(condition=models.Q(('random_share__gte', 0), ('random_share__lte', 1)), name='autopilot_random_share_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='autopilot',
            constraint=models.CheckConstraint(condition=models.Q(('rank_by__in', ['product', 'mean', 'minimum'])), name='autopilot_rank_is_known'),
        ),
        migrations.AddConstraint(
            model_name='autopilot',
            constraint=models.CheckConstraint(condition=models.Q(('quota_by', ''), models.Q(('quota_by__in', ['subject', 'level', 'generator']), ('size__isnull', False)), _connector='OR'), name='autopilot_quotas_are_of_a_size'),
        ),
        migrations.AddConstraint(
            model_name='autopilot',
            constraint=models.CheckConstraint(condition=models.Q(('overlap__gte', 1)), name='autopilot_overlap_is_one_or_more'),
        ),
        migrations.AddConstraint(
            model_name='autopilot',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['off', 'on', 'stopped'])), name='autopilot_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='autopilot',
            constraint=models.CheckConstraint(condition=models.Q(('size__gte', 1)), name='an_autopilot_round_has_a_task'),
        ),
        migrations.AddIndex(
            model_name='score',
            index=models.Index(fields=['reward_model', '-log_score'], name='scores_best_first'),
        ),
        migrations.AddConstraint(
            model_name='score',
            constraint=models.UniqueConstraint(fields=('reward_model', 'solution'), name='one_score_per_model_and_solution'),
        ),
        migrations.AddConstraint(
            model_name='secondlook',
            constraint=models.UniqueConstraint(fields=('labelling', 'step'), name='one_second_look_per_label'),
        ),
        migrations.AddConstraint(
            model_name='secondlook',
            constraint=models.CheckConstraint(condition=models.Q(('rating__in', [-1, 0, 1])), name='second_look_rating_is_known'),
        ),
        migrations.AddConstraint(
            model_name='selection',
            constraint=models.CheckConstraint(condition=models.Q(('size__isnull', False), ('per_problem__isnull', False), _connector='OR'), name='selection_has_a_limit'),
        ),
        migrations.AddConstraint(
            model_name='selection',
            constraint=models.CheckConstraint(condition=models.Q(('wrong_share__gte', 0), ('wrong_share__lte', 1)), name='selection_wrong_share_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='selection',
            constraint=models.CheckConstraint(condition=models.Q(('random_share__gte', 0), ('random_share__lte', 1)), name='selection_random_share_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='selection',
            constraint=models.CheckConstraint(condition=models.Q(('rank_by__in', ['product', 'mean', 'minimum'])), name='selection_rank_is_known'),
        ),
        migrations.AddConstraint(
            model_name='selection',
            constraint=models.CheckConstraint(condition=models.Q(('quota_by', ''), models.Q(('quota_by__in', ['subject', 'level', 'generator']), ('size__isnull', False)), _connector='OR'), name='selection_quotas_are_of_a_size'),
        ),
        migrations.AddConstraint(
            model_name='selection',
            constraint=models.CheckConstraint(condition=models.Q(('overlap__gte', 1)), name='selection_overlap_is_one_or_more'),
        ),
        migrations.AddConstraint(
            model_name='selection',
            constraint=models.CheckConstraint(condition=models.Q(('policy__in', ('random_wrong', 'uniform')), ('reward_model__isnull', False), _connector='OR'), name='only_a_random_policy_selects_without_a_model'),
        ),
        migrations.AddConstraint(
            model_name='selectionitem',
            constraint=models.UniqueConstraint(fields=('selection', 'is_set_aside', 'rank'), name='one_item_per_selection_and_rank'),
        ),
        migrations.AddConstraint(
            model_name='selectionitem',
            constraint=models.UniqueConstraint(fields=('selection', 'solution'), name='a_solution_is_selected_once'),
        ),
        migrations.AddConstraint(
            model_name='trainingrun',
            constraint=models.CheckConstraint(condition=models.Q(('supervision__in', ['process', 'outcome'])), name='supervision_is_known'),
        ),
        migrations.AddConstraint(
            model_name='losspoint',
            constraint=models.UniqueConstraint(fields=('run', 'step'), name='one_loss_per_run_and_step'),
        ),
    ]
