from typing import Any
import datetime
import django.contrib.auth.validators
import django.core.serializers.json
import django.db.models.deletion
import django.utils.timezone
import labeling.models.origin
import labeling.models.people
import uuid
from django.conf import settings
from django.db import migrations, models


# What changes with every task. With room left on its page, a row that changes stays there and its indexes are let be.
FILLED = {"labeling_assignment": 80, "labeling_tally": 50, "labeling_membership": 80}


def leave_room(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        for table, share in FILLED.items():
            schema_editor.execute(f"ALTER TABLE {table} SET (fillfactor = {share})")


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Benchmark',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Run',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(editable=False, max_length=10)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('ready', 'Ready to confirm'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('stage', models.CharField(blank=True, max_length=100)),
                ('done', models.PositiveBigIntegerField(default=0)),
                ('total', models.PositiveBigIntegerField(default=0)),
                ('expected_at', models.DateTimeField(blank=True, help_text='When the stage will end at this pace.', null=True)),
                ('error', models.TextField(blank=True)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('cancel_requested_at', models.DateTimeField(blank=True, null=True)),
                ('is_automatic', models.BooleanField(default=False, help_text="The phase's autopilot started it.")),
                ('worker', models.CharField(blank=True, max_length=200)),
                ('heartbeat_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, help_text='When its last attempt started.', null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('worked_before', models.DurationField(default=datetime.timedelta, help_text='Of all attempts before the last.')),
                ('resolved', models.JSONField(blank=True, default=dict, help_text='Its settings, chosen or automatic; code, versions, device.')),
                ('device_slot', models.CharField(blank=True, help_text="Which device it fills: a machine's, one of.", max_length=200)),
            ],
        ),
        migrations.CreateModel(
            name='FailedSignIns',
            fields=[
                ('key', models.CharField(max_length=100, primary_key=True, serialize=False)),
                ('since', models.DateTimeField(db_index=True)),
                ('times', models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Guidelines',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('text', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='Phase',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('origin', models.UUIDField(blank=True, editable=False, help_text='The import or generation that added it; null: neither.', null=True)),
                ('name', models.CharField(max_length=100, unique=True)),
                ('kind', models.CharField(choices=[('solutions', 'Whole solutions (PRM800K phase 2)'), ('alternatives', 'Alternatives per step (PRM800K phase 1)')], default='solutions', max_length=16)),
                ('status', models.CharField(choices=[('draft', 'Draft'), ('running', 'Running'), ('paused', 'Paused'), ('closed', 'Closed'), ('archived', 'Archived')], default='running', max_length=8)),
                ('instructions', models.TextField(blank=True, help_text='The guidelines, in Markdown, shown to annotators.')),
                ('guidelines_version', models.PositiveIntegerField(default=1, help_text='Rises when the guidelines change.')),
                ('sources', models.JSONField(blank=True, default=list, help_text='The imports and generations that rounds draw from; empty: the whole pool.')),
                ('generators', models.JSONField(blank=True, default=list, help_text='Only solutions by these generators; empty: any.')),
                ('overlap', models.PositiveSmallIntegerField(default=1, help_text='Labellings that a task of a new round needs.')),
                ('shared_rate', models.FloatField(default=0.1, help_text="With an overlap of 1: the share of a round's tasks that two people label.")),
                ('overlap_cap', models.PositiveSmallIntegerField(blank=True, help_text='Where people disagree, one more is asked, up to so many; null: never.', null=True)),
                ('settles_by', models.CharField(choices=[('adjudicated', 'A ruling'), ('majority', 'Majority'), ('dawid_skene', 'Dawid-Skene')], default='adjudicated', help_text='Where people disagree, the loop waits for rulings before it trains, or trains on this consensus.', max_length=16)),
                ('lease_minutes', models.PositiveIntegerField(default=30)),
                ('time_limit_minutes', models.PositiveIntegerField(blank=True, help_text='Leases are not renewed beyond it; null: no limit.', null=True)),
                ('later_steps', models.CharField(choices=[('shown', 'Shown'), ('dimmed', 'Dimmed until reached'), ('hidden', 'Hidden until reached')], default='dimmed', max_length=8)),
                ('asks_alternatives', models.BooleanField(default=False, help_text='Rate alternatives for the first negative step.')),
                ('asks_critiques', models.BooleanField(default=False, help_text='Rate or write critiques of the first negative step.')),
                ('asks_progress', models.BooleanField(default=False, help_text='Rate how far the solution got before it.')),
                ('asks_why_unsure', models.BooleanField(default=False, help_text='A step flagged as unsure needs a note on why; whole solutions only.')),
                ('shows_reference_answer', models.BooleanField(default=True, help_text='As the “current guess”.')),
                ('alternatives_per_step', models.PositiveSmallIntegerField(default=4)),
                ('generator_url', models.CharField(blank=True, help_text='An OpenAI-compatible endpoint, such as http://host:8000/v1.', max_length=200)),
                ('generator_model', models.CharField(blank=True, help_text="The endpoint's model; without a URL, a local path or hub name.", max_length=200)),
                ('pass_mark', models.FloatField(default=0.75, help_text='The agreement with gold that passes the screening.')),
                ('screening_attempts', models.PositiveSmallIntegerField(default=1, help_text='Attempts allowed.')),
                ('gold_set', models.CharField(blank=True, help_text='Gold set hidden among the tasks of new rounds; empty: none.', max_length=100)),
                ('gold_rate', models.FloatField(default=0, help_text="The share of a round's tasks that is gold.")),
                ('pause_below', models.FloatField(blank=True, help_text='The accuracy on gold below which people are paused; null: never.', null=True)),
                ('gives_feedback', models.BooleanField(default=True, help_text='Show the gold labels after each screening task.')),
                ('shows_consensus', models.BooleanField(default=False, help_text='Once a round is closed, show annotators where they differ from its consensus or a ruling.')),
                ('shows_gold', models.BooleanField(default=False, help_text='Once a round is closed, show annotators where they differ from its hidden gold.')),
                ('closes_full_rounds', models.BooleanField(default=False, help_text='Close a round by itself once everything in it is labelled.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='Problem',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('origin', models.UUIDField(blank=True, editable=False, help_text='The import or generation that added it; null: neither.', null=True)),
                ('statement', models.TextField()),
                ('reference_answer', models.TextField(blank=True)),
                ('reference_solution', models.TextField(blank=True)),
                ('subject', models.CharField(blank=True, max_length=100)),
                ('level', models.CharField(blank=True, max_length=50)),
                ('split', models.CharField(choices=[('train', 'Train'), ('test', 'Test (held out)')], default='train', max_length=8)),
                ('markup', models.CharField(choices=[('mathematics', 'Mathematics'), ('markdown', 'Markdown'), ('plain', 'Plain text'), ('code', 'Code')], default='mathematics', max_length=12)),
                ('source', models.CharField(blank=True, max_length=100)),
                ('external_id', models.CharField(blank=True, max_length=200)),
                ('text_hash', models.CharField(max_length=64, unique=True)),
                ('version', models.PositiveIntegerField(default=1)),
                ('overlap', models.CharField(blank=True, choices=[('benchmark', 'On a benchmark'), ('near_benchmark', 'Near a benchmark')], max_length=16)),
                ('trained_on_at', models.DateTimeField(help_text='When a snapshot first had it for training.', null=True)),
                ('held_out_at', models.DateTimeField(help_text='When a snapshot first drew it, of split train, as held out.', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='ProblemBand',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('band', models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name='RatedCompletion',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('step', models.PositiveIntegerField()),
                ('completion', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('rating', models.SmallIntegerField(blank=True, choices=[(-1, 'Bad'), (0, 'Okay'), (1, 'Great')], null=True)),
                ('is_flagged', models.BooleanField(default=False)),
                ('is_chosen', models.BooleanField(default=True)),
                ('is_human', models.BooleanField(default=False, help_text='Written by the annotator, not by a generator.')),
                ('note', models.TextField(blank=True)),
                ('active_ms', models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='Registration',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('origin', models.UUIDField(editable=False, help_text='The import that registered it.', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('reference_answer', 'The reference answer looks wrong'), ('gold', "The experts' labels look wrong"), ('question', 'A question')], default='reference_answer', max_length=16)),
                ('note', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('resolved_at', models.DateTimeField(blank=True, null=True)),
                ('resolution', models.TextField(blank=True)),
                ('read_at', models.DateTimeField(blank=True, help_text='When the annotator read the answer.', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Rollup',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=20)),
                ('subject', models.UUIDField(default=uuid.UUID('00000000-0000-0000-0000-000000000000'), help_text='A phase or a round; all zeros: everything.')),
                ('value', models.JSONField(help_text='Null until it is counted once.', null=True)),
                ('counted_at', models.DateTimeField(help_text='When the counting started.', null=True)),
                ('took_ms', models.PositiveIntegerField(default=0)),
                ('requested_at', models.DateTimeField(help_text='When a new count was requested.', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Round',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('origin', models.UUIDField(blank=True, editable=False, help_text='The import or generation that added it; null: neither.', null=True)),
                ('number', models.IntegerField(help_text='0, 1, 2, ...; -1 is screening.')),
                ('status', models.CharField(choices=[('publishing', 'Being published'), ('open', 'Open'), ('closed', 'Closed')], default='open', max_length=10)),
                ('requested', models.PositiveIntegerField(blank=True, help_text='Tasks requested; null: as many as it has.', null=True)),
                ('gold_set', models.CharField(blank=True, help_text='Gold set hidden among its tasks; empty: none.', max_length=100)),
                ('gold_in_set', models.PositiveIntegerField(default=0, help_text='Size of the set at publication.')),
                ('gold_hidden', models.PositiveIntegerField(default=0, help_text='How many of these were hidden.')),
                ('gold_seats', models.PositiveIntegerField(default=0, help_text='Seats of hidden gold.')),
                ('task_count', models.PositiveIntegerField(default=0, help_text='Without gold; see labeling/counts/tallies.py.')),
                ('seat_count', models.PositiveIntegerField(default=0, help_text='Without gold; also of withdrawn tasks, if taken.')),
                ('opened_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Sample',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('source', models.CharField(blank=True, max_length=100)),
                ('generator', models.CharField(blank=True, max_length=100)),
                ('external_id', models.CharField(blank=True, max_length=200)),
                ('draw', models.BigIntegerField()),
                ('repeat', models.PositiveIntegerField(default=0, help_text='0: counted. Others are later imports of the same draw into the same source.')),
                ('origin', models.UUIDField(editable=False, help_text='The import or generation that added it; null: neither.', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Snapshot',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('labels_hash', models.CharField(max_length=64, unique=True)),
                ('file', models.FileField(max_length=200, upload_to='snapshots')),
                ('counts', models.JSONField(help_text='Labellings, labels, ratings, what was left out and why.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Solution',
            fields=[
                ('origin', models.UUIDField(blank=True, editable=False, help_text='The import or generation that added it; null: neither.', null=True)),
                ('id', models.UUIDField(default=labeling.models.origin.new_id, editable=False, primary_key=True, serialize=False)),
                ('generator', models.CharField(blank=True, max_length=100)),
                ('steps', models.JSONField(help_text='Step texts in order, at least one.')),
                ('markup', models.CharField(choices=[('mathematics', 'Mathematics'), ('markdown', 'Markdown'), ('plain', 'Plain text'), ('code', 'Code')], default='mathematics', help_text='Of its steps.', max_length=12)),
                ('answer', models.TextField(blank=True)),
                ('verdict', models.CharField(choices=[('right', 'Right'), ('wrong', 'Wrong'), ('unsure', 'Unsure')], default='unsure', max_length=8)),
                ('grader_version', models.CharField(help_text='`given` if the record came with its verdict.', max_length=50)),
                ('source', models.CharField(blank=True, max_length=100)),
                ('external_id', models.CharField(blank=True, max_length=200)),
                ('in_pool', models.BooleanField(default=True, help_text='False: it has no sample, or its problem has a newer version; never selected.')),
                ('text_hash', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('done', models.PositiveIntegerField(default=0, help_text='On tasks other than gold.')),
                ('on_gold', models.PositiveIntegerField(default=0, help_text='On hidden gold.')),
                ('day', models.DateField(help_text='The last day with a submission.', null=True)),
                ('on_day', models.PositiveIntegerField(default=0, help_text='Submitted on that day, including gold.')),
                ('active_ms', models.BigIntegerField(default=0, help_text='Of all, including gold, as far as known.')),
                ('last_at', models.DateTimeField(help_text='When the last one was submitted, if known.', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Task',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('overlap', models.PositiveIntegerField(default=1)),
                ('rank', models.PositiveIntegerField(blank=True, help_text='Its place in the selection, best first; not the serving order.', null=True)),
                ('is_gold', models.BooleanField(default=False, help_text='Its expert labels are hidden among the other tasks.')),
                ('withdrawn_at', models.DateTimeField(blank=True, help_text='Nobody new gets it; its labels stay.', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Withdrawal',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('why', models.TextField()),
                ('at', models.DateTimeField()),
                ('seats', models.JSONField(default=list, encoder=django.core.serializers.json.DjangoJSONEncoder, help_text='The free ones that it removed.')),
            ],
        ),
        migrations.CreateModel(
            name='Worker',
            fields=[
                ('name', models.CharField(max_length=200, primary_key=True, serialize=False)),
                ('queues', models.CharField(max_length=200)),
                ('started_at', models.DateTimeField()),
                ('last_seen_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('origin', models.UUIDField(blank=True, editable=False, help_text='The import or generation that added it; null: neither.', null=True)),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('admin', 'Admin'), ('ml_staff', 'ML staff')], default='annotator', max_length=16)),
                ('preferences', models.JSONField(blank=True, default=dict, help_text="Keys, text size, tours seen; the client's.")),
                ('name_key', labeling.models.people.NameKeyField(editable=False, max_length=600, unique=True)),
                ('sessions_ended', models.PositiveIntegerField(default=0, editable=False, help_text='How often all sessions were ended; none outlives a change.')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('name', models.CharField(max_length=100)),
                ('secret_hash', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('is_read_only', models.BooleanField(default=False)),
                ('expires_at', models.DateTimeField(blank=True, help_text='Null: valid until revoked.', null=True)),
                ('last_used_at', models.DateTimeField(blank=True, help_text='To the minute.', null=True)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('work', 'A seat of a task'), ('screening', "An annotator's own in screening"), ('gold', 'A seat of hidden gold'), ('retired', 'Labelled, and asked for again: another seat took its place')], default='work', max_length=9)),
                ('seat', models.PositiveIntegerField(blank=True, help_text='0 to overlap - 1; null in screening, and once it is retired.', null=True)),
                ('position', models.IntegerField(help_text='Serving order within the round.')),
                ('leased_at', models.DateTimeField(blank=True, null=True)),
                ('lease_expires_at', models.DateTimeField(blank=True, null=True)),
                ('submitted_at', models.DateTimeField(blank=True, null=True)),
                ('place', models.PositiveSmallIntegerField(default=0, help_text='0 in hand; 1 or 2: fetched ahead, in either order.')),
                ('annotator', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Case',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('queue', models.CharField(choices=[('disagreement', 'People see the first error at different steps'), ('unsure', 'Somebody is unsure about a step'), ('bad_problem', 'Somebody calls the problem bad'), ('reference_answer', 'Somebody reports the reference answer'), ('gold', "Somebody disputes the experts' labels"), ('give_up', 'Somebody gave up'), ('question', 'Somebody has a question'), ('grader', 'Graded wrong or unsure, and somebody finds no error'), ('second_look', 'A second look disagrees with the label')], max_length=16)),
                ('note', models.TextField(blank=True)),
                ('outcome', models.CharField(blank=True, choices=[('ratings', 'The right ratings: they stand for the task'), ('verdict', 'The right verdict on the final answer'), ('fix', 'A new version of the problem, its solutions graded again'), ('gold', 'The right ratings, which become gold, too'), ('dismiss', 'Nothing changes')], help_text='Empty while it is open.', max_length=8)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('settled_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cases', to=settings.AUTH_USER_MODEL)),
                ('reopens', models.OneToOneField(blank=True, help_text='The settled case that this one opens again.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reopened_as', to='labeling.case')),
            ],
        ),
        migrations.CreateModel(
            name='Change',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('act', models.CharField(help_text='Such as `close` or `change`.', max_length=50)),
                ('kind', models.CharField(help_text='What was changed: `phase`, `round`, `gold`, ...', max_length=50)),
                ('subject', models.CharField(help_text='Its id.', max_length=40)),
                ('name', models.CharField(max_length=200)),
                ('before', models.JSONField(blank=True, default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('after', models.JSONField(blank=True, default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='effects', to='labeling.case')),
            ],
        ),
        migrations.CreateModel(
            name='CompletionSet',
            fields=[
                ('run_ptr', models.OneToOneField(auto_created=True, on_delete=django.db.models.deletion.CASCADE, parent_link=True, primary_key=True, serialize=False, to='labeling.run')),
                ('purpose', models.CharField(choices=[('step', 'Next step'), ('critique', 'Critique of the last step')], max_length=8)),
                ('path', models.JSONField(help_text='The texts of the steps so far.')),
                ('path_hash', models.CharField(max_length=64)),
                ('generator_url', models.CharField(blank=True, max_length=200)),
                ('generator_model', models.CharField(max_length=200)),
                ('wanted', models.PositiveSmallIntegerField()),
                ('texts', models.JSONField(default=list)),
            ],
            bases=('labeling.run',),
        ),
        migrations.AddField(
            model_name='run',
            name='owner',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('number', models.PositiveIntegerField()),
                ('work', models.JSONField(help_text='What is to be done; its form depends on the kind of run.')),
                ('size', models.PositiveIntegerField(help_text="Its share of the run's total.")),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('ready', 'Ready to confirm'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('worker', models.CharField(blank=True, max_length=200)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('result', models.JSONField(blank=True, default=dict)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='labeling.run')),
            ],
        ),
        migrations.CreateModel(
            name='Consensus',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('method', models.CharField(choices=[('adjudicated', 'A ruling'), ('majority', 'Majority'), ('dawid_skene', 'Dawid-Skene')], max_length=16)),
                ('ratings', models.JSONField(help_text='Per step up to the first negative, or to null: nobody can say.')),
                ('confidence', models.JSONField(help_text='Per step, from 0 to 1; the last is that of the whole path.')),
                ('labellings', models.PositiveIntegerField(help_text='How many it is made from.')),
                ('computed_at', models.DateTimeField()),
                ('case', models.ForeignKey(blank=True, help_text='Who made the ruling.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rulings', to='labeling.case')),
            ],
        ),
        migrations.CreateModel(
            name='FormerMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('membership', models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Gold',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('origin', models.UUIDField(blank=True, editable=False, help_text='The import or generation that added it; null: neither.', null=True)),
                ('ratings', models.JSONField(help_text='-1, 0 or 1 per step, up to and including the first negative.')),
                ('rationale', models.TextField(blank=True)),
                ('gold_set', models.CharField(blank=True, default='gold', help_text='Empty: out of service.', max_length=100)),
                ('version', models.PositiveIntegerField(default=1)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='golds', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('secret_hash', models.CharField(max_length=64, unique=True)),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('admin', 'Admin'), ('ml_staff', 'ML staff')], default='annotator', max_length=16)),
                ('phase_role', models.CharField(choices=[('annotator', 'Annotator'), ('expert', 'Expert: makes gold and adjudicates, too'), ('ml_staff', 'ML staff: runs the loop and labels nothing')], default='annotator', max_length=16)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(blank=True, null=True)),
                ('accepted_by', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='invitation', to=settings.AUTH_USER_MODEL)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invitations', to=settings.AUTH_USER_MODEL)),
                ('person', models.ForeignKey(blank=True, help_text='Whose account it opens; null: the link makes a new one.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='links', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Labelling',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('origin', models.UUIDField(blank=True, editable=False, help_text='The import or generation that added it; null: neither.', null=True)),
                ('finish_reason', models.CharField(choices=[('found_error', 'Found an error'), ('solution', 'Reached the end'), ('bad_problem', 'Bad problem'), ('give_up', 'Gave up')], help_text='Null if an imported record does not say.', max_length=16, null=True)),
                ('finish_note', models.TextField(blank=True)),
                ('solution_progress', models.CharField(blank=True, choices=[('none', 'Nowhere yet'), ('some', 'Some of the way'), ('most', 'Most of the way'), ('almost', 'Almost there')], max_length=8)),
                ('guidelines_version', models.PositiveIntegerField(blank=True, help_text='That the annotator was given; null if an import does not say.', null=True)),
                ('checks', models.JSONField(blank=True, default=list, help_text='Soft checks that the annotator was shown.')),
                ('active_ms', models.PositiveBigIntegerField(blank=True, null=True)),
                ('submitted_at', models.DateTimeField(blank=True, help_text='Null if an import does not say.', null=True)),
                ('superseded_at', models.DateTimeField(blank=True, null=True)),
                ('history', models.JSONField(blank=True, default=list, help_text='Every rating given, including corrected ones.')),
                ('source_hash', models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ('source_record', models.JSONField(blank=True, help_text='What no column of an import holds.', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('annotator', models.ForeignKey(blank=True, db_index=False, help_text='Null if an imported record does not say.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='labellings', to=settings.AUTH_USER_MODEL)),
                ('assignment', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='labellings', to='labeling.assignment')),
                ('overruled_by', models.ForeignKey(blank=True, db_index=False, help_text='Not trained on.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='overruled', to='labeling.case')),
            ],
        ),
        migrations.CreateModel(
            name='Critique',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('rating', models.SmallIntegerField(blank=True, choices=[(-1, 'Bad'), (0, 'Okay'), (1, 'Great')], null=True)),
                ('is_human', models.BooleanField(default=False)),
                ('labelling', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='critiques', to='labeling.labelling')),
            ],
        ),
        migrations.CreateModel(
            name='LogLine',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('text', models.TextField(blank=True)),
                ('run', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='log_lines', to='labeling.run')),
            ],
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('annotator', 'Annotator'), ('expert', 'Expert: makes gold and adjudicates, too'), ('ml_staff', 'ML staff: runs the loop and labels nothing')], default='annotator', max_length=16)),
                ('screened_at', models.DateTimeField(blank=True, help_text='When the last screening task was labelled.', null=True)),
                ('screening_agreement', models.FloatField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0, help_text='Finished attempts at the screening.')),
                ('is_let_in', models.BooleanField(default=False, help_text='Admitted by an admin, whatever the screening says.')),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
                ('judged_since', models.DateTimeField(blank=True, help_text='Gold labelled before then does not count.', null=True)),
                ('figures', models.JSONField(editable=False, help_text='Own numbers that are slow to compute, cached.', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddField(
            model_name='run',
            name='phase',
            field=models.ForeignKey(blank=True, help_text='The one that it works for; null: it works for the whole installation, or pool.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='labeling.phase'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['solutions', 'alternatives'])), name='phase_kind_is_known'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'running', 'paused', 'closed', 'archived'])), name='phase_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('overlap__gte', 1)), name='phase_overlap_is_one_or_more'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('settles_by__in', ['adjudicated', 'majority', 'dawid_skene'])), name='settles_by_is_known'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('lease_minutes__gte', 1)), name='phase_lease_is_a_minute_or_more'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('time_limit_minutes__gte', 1)), name='time_limit_is_a_minute_or_more'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('later_steps__in', ['shown', 'dimmed', 'hidden'])), name='later_steps_is_known'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('alternatives_per_step__range', (1, 20))), name='alternatives_per_step_is_1_to_20'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('pass_mark__range', (0, 1))), name='pass_mark_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('gold_rate__range', (0, 1))), name='gold_rate_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('shared_rate__range', (0, 1))), name='shared_rate_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('pause_below__range', (0, 1))), name='pause_below_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='phase',
            constraint=models.CheckConstraint(condition=models.Q(('screening_attempts__gte', 1)), name='screening_may_be_tried_once'),
        ),
        migrations.AddField(
            model_name='membership',
            name='phase',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='labeling.phase'),
        ),
        migrations.AddField(
            model_name='invitation',
            name='phase',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='labeling.phase'),
        ),
        migrations.AddField(
            model_name='guidelines',
            name='phase',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='guidelines', to='labeling.phase'),
        ),
        migrations.AddField(
            model_name='formermember',
            name='phase',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='labeling.phase'),
        ),
        migrations.AddField(
            model_name='problem',
            name='replaced_by',
            field=models.ForeignKey(blank=True, help_text='The newest version.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='replaces', to='labeling.problem'),
        ),
        migrations.AddField(
            model_name='problemband',
            name='problem',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bands', to='labeling.problem'),
        ),
        migrations.AddField(
            model_name='ratedcompletion',
            name='labelling',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='completions', to='labeling.labelling'),
        ),
        migrations.AddField(
            model_name='registration',
            name='benchmark',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='registrations', to='labeling.benchmark'),
        ),
        migrations.AddField(
            model_name='registration',
            name='problem',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='registrations', to='labeling.problem'),
        ),
        migrations.AddField(
            model_name='benchmark',
            name='problems',
            field=models.ManyToManyField(related_name='benchmarks', through='labeling.Registration', to='labeling.problem'),
        ),
        migrations.AddField(
            model_name='report',
            name='annotator',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='report',
            name='resolved_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='resolved_reports', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='rollup',
            constraint=models.UniqueConstraint(fields=('kind', 'subject'), name='one_rollup_per_kind_and_subject'),
        ),
        migrations.AddField(
            model_name='round',
            name='phase',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='rounds', to='labeling.phase'),
        ),
        migrations.AddField(
            model_name='assignment',
            name='round',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='labeling.round'),
        ),
        migrations.AddField(
            model_name='snapshot',
            name='labellings',
            field=models.ManyToManyField(related_name='snapshots', to='labeling.labelling'),
        ),
        migrations.AddField(
            model_name='solution',
            name='problem',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='solutions', to='labeling.problem'),
        ),
        migrations.AddField(
            model_name='sample',
            name='solution',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='samples', to='labeling.solution'),
        ),
        migrations.AddField(
            model_name='gold',
            name='solution',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='golds', to='labeling.solution'),
        ),
        migrations.AddField(
            model_name='tally',
            name='annotator',
            field=models.ForeignKey(help_text='Null if imported records do not say.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='tally',
            name='round',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='labeling.round'),
        ),
        migrations.AddField(
            model_name='task',
            name='round',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='labeling.round'),
        ),
        migrations.AddField(
            model_name='task',
            name='solution',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='labeling.solution'),
        ),
        migrations.AddField(
            model_name='report',
            name='task',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reports', to='labeling.task'),
        ),
        migrations.AddField(
            model_name='labelling',
            name='task',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='labellings', to='labeling.task'),
        ),
        migrations.AddField(
            model_name='consensus',
            name='task',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='consensuses', to='labeling.task'),
        ),
        migrations.AddField(
            model_name='case',
            name='task',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cases', to='labeling.task'),
        ),
        migrations.AddField(
            model_name='assignment',
            name='task',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='labeling.task'),
        ),
        migrations.AddField(
            model_name='withdrawal',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='withdrawals', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='withdrawal',
            name='problem',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='withdrawal', to='labeling.problem'),
        ),
        migrations.AddField(
            model_name='withdrawal',
            name='solution',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='withdrawal', to='labeling.solution'),
        ),
        migrations.AddField(
            model_name='withdrawal',
            name='task',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='withdrawal', to='labeling.task'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['annotator', 'admin', 'ml_staff'])), name='user_role_is_known'),
        ),
        migrations.AddConstraint(
            model_name='apitoken',
            constraint=models.UniqueConstraint(fields=('user', 'name'), name='one_api_token_per_user_and_name'),
        ),
        migrations.AddIndex(
            model_name='change',
            index=models.Index(fields=['-at'], name='changes_latest_first'),
        ),
        migrations.AddIndex(
            model_name='change',
            index=models.Index(fields=['subject'], name='changes_of_one_thing'),
        ),
        migrations.AddIndex(
            model_name='change',
            index=models.Index(condition=models.Q(('act', 'fail to sign in')), fields=['-at'], name='failed_sign_ins_latest_first'),
        ),
        migrations.AddField(
            model_name='completionset',
            name='problem',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='completion_sets', to='labeling.problem'),
        ),
        migrations.AddField(
            model_name='completionset',
            name='round',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='labeling.round'),
        ),
        migrations.AddIndex(
            model_name='batch',
            index=models.Index(condition=models.Q(('status__in', ['queued', 'running'])), fields=['run', 'number'], name='batches_not_done'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.UniqueConstraint(fields=('run', 'number'), name='one_batch_per_run_and_number'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'running', 'done'])), name='batch_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='critique',
            constraint=models.UniqueConstraint(fields=('labelling', 'number'), name='one_critique_per_number'),
        ),
        migrations.AddConstraint(
            model_name='critique',
            constraint=models.CheckConstraint(condition=models.Q(('rating__isnull', True), ('rating__in', [-1, 0, 1]), _connector='OR'), name='critique_rating_is_negative_neutral_or_positive'),
        ),
        migrations.AddIndex(
            model_name='logline',
            index=models.Index(fields=['run', 'id'], name='log_of_a_run'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['-created_at', '-id'], name='runs_latest_first'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(fields=['kind', '-created_at', '-id'], name='runs_of_a_kind'),
        ),
        migrations.AddIndex(
            model_name='run',
            index=models.Index(condition=models.Q(('status__in', ['queued', 'running'])), fields=['created_at'], name='runs_unfinished'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('kind', ''), _negated=True), name='a_run_has_a_kind'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['queued', 'running', 'ready', 'done', 'failed', 'cancelled'])), name='run_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['train', 'evaluate', 'replay', 'select', 'publish', 'verify']), _negated=True), ('phase__isnull', False), _connector='OR'), name='what_belongs_to_a_phase_has_one'),
        ),
        migrations.AddConstraint(
            model_name='run',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'running'), models.Q(('device_slot', ''), _negated=True)), fields=('device_slot',), name='one_run_fills_a_device'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.UniqueConstraint(fields=('phase', 'user'), name='one_membership_per_user_and_phase'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['annotator', 'expert', 'ml_staff'])), name='phase_role_is_known'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['annotator', 'admin', 'ml_staff'])), name='invitation_role_is_known'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(('phase_role__in', ['annotator', 'expert', 'ml_staff'])), name='invitation_phase_role_is_known'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('phase_role', 'ml_staff'), _negated=True), ('role', 'ml_staff'), _connector='OR'), name='only_ml_staff_are_invited_to_run_a_phase'),
        ),
        migrations.AddConstraint(
            model_name='invitation',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('accepted_at', None), ('accepted_by', None)), models.Q(('accepted_at__isnull', False), ('accepted_by__isnull', False)), _connector='OR'), name='who_accepted_an_invitation_is_known'),
        ),
        migrations.AddConstraint(
            model_name='guidelines',
            constraint=models.UniqueConstraint(fields=('phase', 'version'), name='one_text_per_guidelines_version'),
        ),
        migrations.AddConstraint(
            model_name='formermember',
            constraint=models.UniqueConstraint(fields=('phase', 'user'), name='one_former_membership_per_user_and_phase'),
        ),
        migrations.AddIndex(
            model_name='problem',
            index=models.Index(condition=models.Q(('origin__isnull', False)), fields=['origin'], name='problems_by_origin'),
        ),
        migrations.AddIndex(
            model_name='problem',
            index=models.Index(condition=models.Q(('overlap', ''), _negated=True), fields=['overlap'], name='problems_by_overlap'),
        ),
        migrations.AddConstraint(
            model_name='problem',
            constraint=models.CheckConstraint(condition=models.Q(('split__in', ['train', 'test'])), name='problem_split_is_known'),
        ),
        migrations.AddConstraint(
            model_name='problem',
            constraint=models.CheckConstraint(condition=models.Q(('markup__in', ['mathematics', 'markdown', 'plain', 'code'])), name='problem_markup_is_known'),
        ),
        migrations.AddConstraint(
            model_name='problem',
            constraint=models.CheckConstraint(condition=models.Q(('overlap__in', ['', 'benchmark', 'near_benchmark'])), name='problem_overlap_is_known'),
        ),
        migrations.AddConstraint(
            model_name='problem',
            constraint=models.CheckConstraint(condition=models.Q(('split', 'test'), models.Q(('overlap', 'benchmark'), _negated=True), _connector='OR'), name='a_benchmark_is_held_out'),
        ),
        migrations.AddIndex(
            model_name='problemband',
            index=models.Index(fields=['band', 'problem'], name='problems_by_band'),
        ),
        migrations.AddIndex(
            model_name='ratedcompletion',
            index=models.Index(condition=models.Q(('is_flagged', True)), fields=['labelling'], name='flagged_completions'),
        ),
        migrations.AddConstraint(
            model_name='ratedcompletion',
            constraint=models.UniqueConstraint(fields=('labelling', 'step', 'completion'), name='one_rating_per_completion_and_labelling'),
        ),
        migrations.AddConstraint(
            model_name='ratedcompletion',
            constraint=models.CheckConstraint(condition=models.Q(('rating__isnull', True), ('rating__in', [-1, 0, 1]), _connector='OR'), name='rating_is_negative_neutral_or_positive'),
        ),
        migrations.AddConstraint(
            model_name='registration',
            constraint=models.UniqueConstraint(fields=('benchmark', 'problem'), name='a_problem_is_on_a_benchmark_once'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(fields=('phase', 'number'), name='one_round_per_phase_and_number'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.UniqueConstraint(condition=models.Q(('number__gte', 0), ('status', 'open')), fields=('phase',), name='one_open_round_per_phase'),
        ),
        migrations.AddConstraint(
            model_name='round',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['publishing', 'open', 'closed'])), name='round_status_is_known'),
        ),
        migrations.AddIndex(
            model_name='solution',
            index=models.Index(condition=models.Q(('in_pool', True)), fields=['text_hash', 'problem'], name='pool_by_text'),
        ),
        migrations.AddIndex(
            model_name='solution',
            index=models.Index(condition=models.Q(('in_pool', True)), fields=['created_at'], name='pool_by_time'),
        ),
        migrations.AddIndex(
            model_name='solution',
            index=models.Index(condition=models.Q(('origin__isnull', False)), fields=['origin'], name='solutions_by_origin'),
        ),
        migrations.AddConstraint(
            model_name='solution',
            constraint=models.UniqueConstraint(fields=('problem', 'text_hash'), name='one_solution_per_text_and_problem'),
        ),
        migrations.AddConstraint(
            model_name='solution',
            constraint=models.CheckConstraint(condition=models.Q(('verdict__in', ['right', 'wrong', 'unsure'])), name='solution_verdict_is_known'),
        ),
        migrations.AddConstraint(
            model_name='solution',
            constraint=models.CheckConstraint(condition=models.Q(('markup__in', ['mathematics', 'markdown', 'plain', 'code'])), name='solution_markup_is_known'),
        ),
        migrations.AddIndex(
            model_name='sample',
            index=models.Index(fields=['source', 'solution'], name='samples_by_source'),
        ),
        migrations.AddIndex(
            model_name='sample',
            index=models.Index(fields=['generator', 'source'], name='samples_by_generator'),
        ),
        migrations.AddIndex(
            model_name='sample',
            index=models.Index(condition=models.Q(('origin__isnull', False)), fields=['origin'], name='samples_by_origin'),
        ),
        migrations.AddConstraint(
            model_name='sample',
            constraint=models.UniqueConstraint(fields=('solution', 'source', 'generator', 'draw', 'repeat'), name='one_sample_per_draw_and_source'),
        ),
        migrations.AddIndex(
            model_name='gold',
            index=models.Index(condition=models.Q(('origin__isnull', False)), fields=['origin'], name='golds_by_origin'),
        ),
        migrations.AddConstraint(
            model_name='gold',
            constraint=models.UniqueConstraint(fields=('solution', 'version'), name='one_gold_per_solution_and_version'),
        ),
        migrations.AddConstraint(
            model_name='tally',
            constraint=models.UniqueConstraint(fields=('round', 'annotator'), name='one_tally_per_round_and_annotator'),
        ),
        migrations.AddConstraint(
            model_name='tally',
            constraint=models.UniqueConstraint(condition=models.Q(('annotator', None)), fields=('round',), name='one_tally_per_round_of_unnamed_annotators'),
        ),
        migrations.AddIndex(
            model_name='task',
            index=models.Index(fields=['round', 'id'], name='tasks_of_a_round'),
        ),
        migrations.AddIndex(
            model_name='task',
            index=models.Index(condition=models.Q(('is_gold', True)), fields=['round'], name='hidden_gold_of_a_round'),
        ),
        migrations.AddConstraint(
            model_name='task',
            constraint=models.CheckConstraint(condition=models.Q(('overlap__gte', 1)), name='task_overlap_is_one_or_more'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'question'), _negated=True), fields=('task', 'annotator', 'kind'), name='one_report_per_task_annotator_and_kind'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 'question'), ('resolved_at__isnull', True)), fields=('task', 'annotator'), name='one_open_question_per_task_and_annotator'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['reference_answer', 'gold', 'question'])), name='report_kind_is_known'),
        ),
        migrations.AddIndex(
            model_name='labelling',
            index=models.Index(fields=['-submitted_at'], name='labellings_latest_first'),
        ),
        migrations.AddIndex(
            model_name='labelling',
            index=models.Index(fields=['annotator', '-submitted_at'], name='own_labellings_latest_first'),
        ),
        migrations.AddIndex(
            model_name='labelling',
            index=models.Index(condition=models.Q(('assignment__isnull', False)), fields=['assignment'], name='labellings_by_assignment'),
        ),
        migrations.AddIndex(
            model_name='labelling',
            index=models.Index(condition=models.Q(('overruled_by__isnull', False)), fields=['overruled_by'], name='overruled_labellings'),
        ),
        migrations.AddIndex(
            model_name='labelling',
            index=models.Index(condition=models.Q(('finish_reason__in', ('bad_problem', 'give_up'))), fields=['task'], name='labellings_without_end'),
        ),
        migrations.AddIndex(
            model_name='labelling',
            index=models.Index(condition=models.Q(('origin__isnull', False)), fields=['origin'], name='labellings_by_origin'),
        ),
        migrations.AddConstraint(
            model_name='labelling',
            constraint=models.UniqueConstraint(condition=models.Q(('assignment__isnull', False), ('superseded_at__isnull', True)), fields=('assignment',), name='one_current_labelling_per_assignment'),
        ),
        migrations.AddConstraint(
            model_name='labelling',
            constraint=models.UniqueConstraint(condition=models.Q(('assignment__isnull', False), ('superseded_at__isnull', True)), fields=('task', 'annotator'), name='one_current_labelling_per_task_and_annotator'),
        ),
        migrations.AddConstraint(
            model_name='labelling',
            constraint=models.CheckConstraint(condition=models.Q(('finish_reason__in', ['found_error', 'solution', 'bad_problem', 'give_up'])), name='finish_reason_is_known'),
        ),
        migrations.AddConstraint(
            model_name='labelling',
            constraint=models.CheckConstraint(condition=models.Q(('finish_reason__isnull', False), ('assignment__isnull', True), _connector='OR'), name='only_an_import_has_no_finish_reason'),
        ),
        migrations.AddConstraint(
            model_name='labelling',
            constraint=models.CheckConstraint(condition=models.Q(('guidelines_version__isnull', False), ('assignment__isnull', True), _connector='OR'), name='only_an_import_has_no_guidelines_version'),
        ),
        migrations.AddConstraint(
            model_name='consensus',
            constraint=models.UniqueConstraint(fields=('task', 'method'), name='one_consensus_per_task_and_method'),
        ),
        migrations.AddConstraint(
            model_name='consensus',
            constraint=models.CheckConstraint(condition=models.Q(('method__in', ['adjudicated', 'majority', 'dawid_skene'])), name='consensus_method_is_known'),
        ),
        migrations.AddConstraint(
            model_name='consensus',
            constraint=models.CheckConstraint(condition=models.Q(('method', 'adjudicated'), ('case__isnull', True), _connector='XOR'), name='a_ruling_has_its_case'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.UniqueConstraint(condition=models.Q(('settled_at', None)), fields=('task', 'queue'), name='one_open_case_per_task_and_queue'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(('queue__in', ['disagreement', 'unsure', 'bad_problem', 'reference_answer', 'gold', 'give_up', 'question', 'grader', 'second_look'])), name='case_queue_is_known'),
        ),
        migrations.AddConstraint(
            model_name='case',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('outcome', ''), ('settled_at', None)), models.Q(('outcome__in', ['ratings', 'verdict', 'fix', 'gold', 'dismiss']), ('settled_at__isnull', False)), _connector='OR'), name='a_settled_case_has_its_outcome'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('submitted_at__isnull', True)), fields=['round', 'position'], name='open_seats_in_serving_order'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('submitted_at__isnull', False)), fields=['round', 'submitted_at'], name='submitted_seats_by_time'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(fields=('task', 'seat'), name='one_assignment_per_task_and_seat'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(fields=('task', 'annotator'), name='one_assignment_per_task_and_annotator'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('annotator__isnull', False), ('submitted_at__isnull', True)), fields=('round', 'annotator', 'place'), name='one_assignment_per_annotator_and_place'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(('place__lte', 2)), name='one_assignment_in_hand_and_two_ahead'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(('annotator__isnull', False), ('lease_expires_at__isnull', True), _connector='OR'), name='a_lease_has_an_annotator'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['screening', 'retired']), ('seat', None)), models.Q(('kind__in', ['work', 'gold']), ('seat__isnull', False)), _connector='OR'), name='seats_have_numbers_unless_screening_or_retired'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('problem__isnull', False), ('solution', None), ('task', None)), models.Q(('problem', None), ('solution__isnull', False), ('task', None)), models.Q(('problem', None), ('solution', None), ('task__isnull', False)), _connector='OR'), name='a_withdrawal_is_of_one_thing'),
        ),
        migrations.AddConstraint(
            model_name='withdrawal',
            constraint=models.CheckConstraint(condition=models.Q(('why', ''), _negated=True), name='a_withdrawal_has_a_reason'),
        ),
        migrations.AddConstraint(
            model_name='completionset',
            constraint=models.UniqueConstraint(fields=('problem', 'path_hash', 'purpose', 'round', 'generator_url', 'generator_model'), name='one_completion_set_per_path_and_generator'),
        ),
        migrations.RunPython(leave_room, migrations.RunPython.noop),
    ]
