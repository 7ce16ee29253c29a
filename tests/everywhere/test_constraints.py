"""Every database constraint is violated once, and refuses by its name."""

from functools import partial
from uuid import UUID

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction

from annotate.models import Draft
from labeling.models import (
    ApiToken,
    Assignment,
    Batch,
    Benchmark,
    Case,
    CompletionSet,
    Consensus,
    Critique,
    FormerMember,
    Gold,
    Guidelines,
    Image,
    Invitation,
    Labelling,
    Membership,
    Phase,
    RatedCompletion,
    Registration,
    Report,
    Rollup,
    Round,
    Run,
    Tally,
    User,
    Withdrawal,
)
from prm_training.models import Autopilot, Import, Notice, Promotion, SecondLook, Selection, SelectionItem

OURS = ["labeling", "annotate", "prm_training"]
CONSTRAINTS = {
    constraint.name: (model, constraint)
    for app in OURS
    for model in apps.get_app_config(app).get_models()
    for constraint in model._meta.constraints
}


def twice(act):
    act()
    act()


def seat(make, **columns):
    task = columns.pop("task", None) or make.task()
    return Assignment.objects.create(**{"task": task, "round": task.round, "seat": 0, "position": 0} | columns)


def seats_of_one_annotator(make, round_number, **columns):
    person, phase = make.user(), make.phase()
    for number in round_number:
        seat(make, task=make.task(phase, number=number), annotator=person, **columns)


def registered_twice(make):
    benchmark, problem = Benchmark.objects.create(name="MATH500"), make.problem()
    twice(lambda: Registration.objects.create(benchmark=benchmark, problem=problem))


def same_seat(make):
    task = make.task()
    twice(lambda: seat(make, task=task))


def same_annotator(make, now):
    task, person = make.task(), make.user()
    for number in range(2):
        seat(make, task=task, seat=number, annotator=person, submitted_at=now)


def same_assignment(make):
    held = seat(make)
    twice(lambda: make.labelling(held.task, 1, assignment=held))


def same_labeller(make):
    task, person = make.task(), make.user()
    for number in range(2):
        make.labelling(task, 1, annotator=person, assignment=seat(make, task=task, seat=number))


def rated(make, **columns):
    return RatedCompletion.objects.create(
        **{"labelling": make.labelling(make.task()), "step": 0, "completion": 0, "text": "x"} | columns
    )


def critique(make, **columns):
    return Critique.objects.create(**{"labelling": make.labelling(make.task()), "number": 0, "text": "x"} | columns)


def invitation(make, now, **columns):
    return Invitation.objects.create(**{"by": make.user(), "secret_hash": "x", "expires_at": now} | columns)


def case(make, **columns):
    plain = {"task": columns.pop("task", None) or make.task(), "queue": "unsure", "by": make.user()}
    return Case.objects.create(**plain | columns)


def same_token(make):
    person = make.user()
    for secret_hash in "ab":
        ApiToken.objects.create(user=person, name="x", secret_hash=secret_hash)


def completion_set(make, **columns):
    plain = {"purpose": "step", "path": [], "path_hash": "", "generator_model": "m", "wanted": 4}
    return CompletionSet.objects.create(**plain | {"problem": columns.pop("problem", None) or make.problem()} | columns)


def former_twice(make, now):
    person, phase = make.user(), make.phase()
    twice(lambda: FormerMember.objects.create(phase=phase, user=person, membership={}))


def same_completions(make, now):
    task = make.task()
    twice(lambda: completion_set(make, problem=task.solution.problem, round=task.round))


def same_report(make, now):
    task, person = make.task(), make.user()
    twice(lambda: Report.objects.create(task=task, annotator=person))


def asked_twice(make, now):
    """Asks the same question twice; only after an answer may another one follow."""
    task, person = make.task(), make.user()
    answered = {"resolved_at": now, "resolved_by": make.user()}
    for columns in (answered, answered, {}, {}):
        Report.objects.create(task=task, annotator=person, kind="question", **columns)


def second_look(make, **columns):
    plain = {"step": 0, "person": make.user(), "first_rating": 1, "rating": 1, "chance": 0.1}
    columns = {"labelling": columns.pop("labelling", None) or make.labelling(make.task(), 1)} | columns
    return SecondLook.objects.create(**plain | columns | {"reward_model": make.reward_model()})


def item(make, **columns):
    plain = {"rank": 1, "reason": "x", "solution": None}
    return SelectionItem.objects.create(**plain | {"solution": make.solution()} | columns)


def a_consensus(task, now, **columns):
    plain = {"method": "majority", "ratings": [], "confidence": [], "labellings": 2, "computed_at": now}
    return Consensus.objects.create(task=task, **plain | columns)


def twice_a_consensus(make, now):
    twice(partial(a_consensus, make.task(), now))


def same_draw(make):
    solution = make.solution()
    twice(lambda: make.sample(solution, draw=1))


def two_tallies(make, annotator):
    round_ = make.task().round
    twice(lambda: Tally.objects.create(round=round_, annotator=annotator))


def two_drafts(make, now):
    task, person = make.task(), make.user()
    twice(lambda: Draft.objects.create(task=task, annotator=person, version=1, content={}, saved_at=now))


def two_scores(make):
    twice(partial(make.score, make.reward_model(), make.solution(), -1.0))


def an_import(**columns):
    return Import.objects.create(**{"file": "x.jsonl", "name": "x.jsonl", "file_format": "solutions"} | columns)


def pilot(make, **columns):
    return Autopilot.objects.create(phase=make.phase(), **columns)


def same_loss(make):
    run = make.training_run()
    twice(lambda: run.loss_points.create(step=1, loss=0.5))


def a_batch(make, **columns):
    run = columns.pop("run", None) or make.scoring_run()
    return Batch.objects.create(**{"run_id": run.pk, "number": 0, "work": {}, "size": 1} | columns)


def same_batch(make):
    run = make.scoring_run()
    twice(lambda: a_batch(make, run=run))


VIOLATIONS = {
    "a_withdrawal_is_of_one_thing": lambda make, now: Withdrawal.objects.create(by=make.user(), why="Bad.", at=now),
    "a_withdrawal_has_a_reason": lambda make, now: Withdrawal.objects.create(task=make.task(), by=make.user(), at=now),
    "one_batch_per_run_and_number": lambda make, now: same_batch(make),
    "batch_status_is_known": lambda make, now: a_batch(make, status="lost"),
    "one_loss_per_run_and_step": lambda make, now: same_loss(make),
    "one_run_fills_a_device": lambda make, now: twice(
        lambda: make.training_run(status="running", device_slot="here:0")
    ),
    "autopilot_status_is_known": lambda make, now: pilot(make, status="asleep"),
    "an_autopilot_round_has_a_task": lambda make, now: pilot(make, size=0),
    "autopilot_has_a_limit": lambda make, now: pilot(make, size=None, per_problem=None),
    "autopilot_random_share_is_a_share": lambda make, now: pilot(make, random_share=-0.5),
    "autopilot_rank_is_known": lambda make, now: pilot(make, rank_by="length"),
    "autopilot_quotas_are_of_a_size": lambda make, now: pilot(make, quota_by="colour"),
    "autopilot_overlap_is_one_or_more": lambda make, now: pilot(make, overlap=0),
    "autopilot_wrong_share_is_a_share": lambda make, now: pilot(make, wrong_share=-0.5),
    "notice_status_is_known": lambda make, now: Notice.objects.create(
        autopilot=pilot(make), to="a@b.org", news={}, next_try_at=now, status="lost"
    ),
    "an_override_has_a_reason": lambda make, now: Promotion.objects.create(
        phase=make.phase(), reward_model=make.reward_model(), at=now, overrode="Its AUC fell."
    ),
    "user_role_is_known": lambda make, now: User.objects.create(username="x", role="king"),
    "settles_by_is_known": lambda make, now: make.phase(settles_by="a coin"),
    "phase_role_is_known": lambda make, now: make.phase().memberships.create(user=make.user(), role="king"),
    "invitation_role_is_known": lambda make, now: invitation(make, now, role="king"),
    "invitation_phase_role_is_known": lambda make, now: invitation(make, now, phase_role="king"),
    "only_ml_staff_are_invited_to_run_a_phase": lambda make, now: invitation(make, now, phase_role="ml_staff"),
    "who_accepted_an_invitation_is_known": lambda make, now: invitation(make, now, accepted_at=now),
    "one_api_token_per_user_and_name": lambda make, now: same_token(make),
    "case_queue_is_known": lambda make, now: case(make, queue="tea"),
    "a_settled_case_has_its_outcome": lambda make, now: case(make, settled_at=now),
    "one_open_case_per_task_and_queue": lambda make, now: case(make, task=case(make).task),
    "gold_rate_is_a_share": lambda make, now: make.phase(gold_rate=-0.1),
    "shared_rate_is_a_share": lambda make, now: make.phase(shared_rate=1.1),
    "one_former_membership_per_user_and_phase": former_twice,
    "pause_below_is_a_share": lambda make, now: make.phase(pause_below=1.1),
    "screening_may_be_tried_once": lambda make, now: make.phase(screening_attempts=0),
    "report_kind_is_known": lambda make, now: Report.objects.create(
        task=make.task(), annotator=make.user(), kind="song"
    ),
    "one_membership_per_user_and_phase": lambda make, now: Membership.objects.create(
        phase=make.phase(person := make.user()), user=person
    ),
    "phase_kind_is_known": lambda make, now: make.phase(kind="songs"),
    "phase_profile_is_known": lambda make, now: make.phase(profile="songs"),
    "phase_status_is_known": lambda make, now: make.phase(status="lost"),
    "later_steps_is_known": lambda make, now: make.phase(later_steps="blurred"),
    "alternatives_per_step_is_1_to_20": lambda make, now: make.phase(alternatives_per_step=21),
    "pass_mark_is_a_share": lambda make, now: make.phase(pass_mark=1.1),
    "one_text_per_guidelines_version": lambda make, now: twice(
        lambda: Guidelines.objects.create(phase=Phase.objects.first() or make.phase(), version=1)
    ),
    "phase_overlap_is_one_or_more": lambda make, now: make.phase(overlap=0),
    "time_limit_is_a_minute_or_more": lambda make, now: make.phase(time_limit_minutes=0),
    "one_rollup_per_kind_and_subject": lambda make, now: twice(lambda: Rollup.objects.create(kind="pool")),
    "one_tally_per_round_and_annotator": lambda make, now: two_tallies(make, make.user()),
    "one_tally_per_round_of_unnamed_annotators": lambda make, now: two_tallies(make, None),
    "one_consensus_per_task_and_method": twice_a_consensus,
    "a_ruling_has_its_case": lambda make, now: a_consensus(make.task(), now, method="adjudicated"),
    "consensus_result_is_known": lambda make, now: a_consensus(make.task(), now, result="maybe"),
    "consensus_method_is_known": lambda make, now: a_consensus(make.task(), now, method="dice"),
    "phase_lease_is_a_minute_or_more": lambda make, now: make.phase(lease_minutes=0),
    "one_round_per_phase_and_number": lambda make, now: Round.objects.create(
        phase=make.task(number=7).round.phase, number=7, opened_at=now, status="closed"
    ),
    "one_open_round_per_phase": lambda make, now: Round.objects.create(
        phase=make.round(make.phase(), 1).phase, number=9, opened_at=now
    ),
    "round_status_is_known": lambda make, now: Round.objects.create(
        phase=make.phase(), number=0, opened_at=now, status="ajar"
    ),
    "task_overlap_is_one_or_more": lambda make, now: make.task(overlap=0),
    "one_assignment_per_task_and_seat": lambda make, now: same_seat(make),
    "one_assignment_per_task_and_annotator": same_annotator,
    "one_assignment_per_annotator_and_place": lambda make, now: seats_of_one_annotator(make, [0, 0]),
    "one_assignment_in_hand_and_two_ahead": lambda make, now: seat(make, place=3),
    "a_lease_has_an_annotator": lambda make, now: seat(make, lease_expires_at=now),
    "seats_have_numbers_unless_screening_or_retired": lambda make, now: seat(make, seat=None),
    "one_current_labelling_per_assignment": lambda make, now: same_assignment(make),
    "one_current_labelling_per_task_and_annotator": lambda make, now: same_labeller(make),
    "finish_reason_is_known": lambda make, now: make.labelling(make.task(), finish_reason="bored"),
    "only_an_import_has_no_finish_reason": lambda make, now: make.labelling(
        make.task(), finish_reason=None, assignment=seat(make)
    ),
    "only_an_import_has_no_guidelines_version": lambda make, now: make.labelling(
        make.task(), guidelines_version=None, assignment=seat(make)
    ),
    "one_rating_per_completion_and_labelling": lambda make, now: rated(make, labelling=rated(make).labelling),
    "rating_is_negative_neutral_or_positive": lambda make, now: rated(make, rating=2),
    "problem_split_is_known": lambda make, now: make.problem(split="half"),
    "one_solution_per_text_and_problem": lambda make, now: make.solution(
        (first := make.solution()).problem, text_hash=first.text_hash
    ),
    "problem_markup_is_known": lambda make, now: make.problem(markup="crayon"),
    "problem_overlap_is_known": lambda make, now: make.problem(overlap="partly"),
    "a_benchmark_is_held_out": lambda make, now: make.problem(overlap="benchmark", split="train"),
    "a_problem_is_on_a_benchmark_once": lambda make, now: registered_twice(make),
    "solution_markup_is_known": lambda make, now: make.solution(markup="crayon"),
    "one_image_per_import": lambda make, now: Image.objects.bulk_create([Image(sha256="x", origin=UUID(int=1))] * 2),
    "one_sample_per_draw_and_source": lambda make, now: same_draw(make),
    "solution_verdict_is_known": lambda make, now: make.solution(verdict="perhaps"),
    "one_gold_per_solution_and_version": lambda make, now: Gold.objects.create(
        solution=Gold.objects.create(solution=make.solution(), ratings=[1]).solution, ratings=[0]
    ),
    "one_completion_set_per_path_and_generator": same_completions,
    "one_critique_per_number": lambda make, now: critique(make, labelling=critique(make).labelling),
    "critique_rating_is_negative_neutral_or_positive": lambda make, now: critique(make, rating=2),
    "one_report_per_task_annotator_and_kind": same_report,
    "one_open_question_per_task_and_annotator": asked_twice,
    "one_draft_per_task_and_annotator": two_drafts,
    "run_status_is_known": lambda make, now: make.training_run(status="lost"),
    "a_run_has_a_kind": lambda make, now: Run.objects.create(),
    "supervision_is_known": lambda make, now: make.training_run(supervision="magic"),
    "a_data_release_has_a_name": lambda make, now: make.data_release(name=""),
    "a_generation_writes_something": lambda make, now: make.generation(samples=0),
    "temperature_is_0_to_2": lambda make, now: make.generation(temperature=2.5),
    "selection_has_a_limit": lambda make, now: make.selection(size=None, per_problem=None),
    "selection_random_share_is_a_share": lambda make, now: make.selection(random_share=1.5),
    "selection_rank_is_known": lambda make, now: make.selection(rank_by="length"),
    "selection_quotas_are_of_a_size": lambda make, now: make.selection(size=None, quota_by="subject"),
    "selection_overlap_is_one_or_more": lambda make, now: make.selection(overlap=0),
    "import_format_is_known": lambda make, now: an_import(file_format="word"),
    "import_split_is_known": lambda make, now: an_import(split="dev"),
    "generation_split_by_is_known": lambda make, now: make.generation(split_by="dev"),
    "import_split_by_is_known": lambda make, now: an_import(split_by="dev"),
    "import_grader_is_known": lambda make, now: an_import(graded_by="dev"),
    "one_second_look_per_label": lambda make, now: second_look(make, labelling=second_look(make).labelling),
    "second_look_rating_is_known": lambda make, now: second_look(make, rating=2),
    "what_belongs_to_a_phase_has_one": lambda make, now: Selection.objects.create(policy="uniform"),
    "one_score_per_model_and_solution": lambda make, now: two_scores(make),
    "only_a_random_policy_selects_without_a_model": lambda make, now: make.selection(policy="convincing"),
    "selection_wrong_share_is_a_share": lambda make, now: make.selection(wrong_share=1.5),
    "one_item_per_selection_and_rank": lambda make, now: item(
        make, selection=item(make, selection=make.selection()).selection
    ),
    "a_solution_is_selected_once": lambda make, now: item(
        make, selection=(first := item(make, selection=make.selection())).selection, solution=first.solution, rank=2
    ),
}


def test_every_constraint_has_its_violation() -> None:
    assert set(VIOLATIONS) == set(CONSTRAINTS)


@pytest.mark.parametrize("name", VIOLATIONS)
def test_the_database_refuses(name, make, now):
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        VIOLATIONS[name](make, now)
    assert as_the_database_says(name) in str(refusal.value)


def as_the_database_says(name: str) -> str:
    """Returns a constraint's name in the database's error: SQLite gives the columns of a unique one."""
    model, constraint = CONSTRAINTS[name]
    if connection.vendor != "sqlite" or not isinstance(constraint, models.UniqueConstraint):
        return name
    columns = [model._meta.get_field(field).column for field in constraint.fields]
    return "failed: " + ", ".join(f"{model._meta.db_table}.{column}" for column in columns)


@pytest.mark.parametrize("columns", [{"kind": "screening"}, {"kind": "gold", "seat": None}, {"kind": "tea"}])
def test_seats_have_numbers_unless_screening_or_retired(make, columns):
    with pytest.raises(IntegrityError, match="seats_have_numbers_unless_screening_or_retired"), transaction.atomic():
        seat(make, **columns)


def test_the_same_person_may_hold_tasks_of_two_rounds(make):
    seats_of_one_annotator(make, [0, 1])


def test_a_task_in_hand_leaves_room_for_two_ahead(make):
    person, phase = make.user(), make.phase()
    for place in range(3):
        seat(make, task=make.task(phase), annotator=person, place=place)
    for place in range(4):
        with pytest.raises(IntegrityError), transaction.atomic():
            seat(make, task=make.task(phase), annotator=person, place=place)


def test_submitted_tasks_do_not_count_as_in_hand(make, now):
    seats_of_one_annotator(make, [0, 0, 0], submitted_at=now)


def test_a_superseded_labelling_makes_room_for_another(make, now):
    held = seat(make)
    make.labelling(held.task, 1, assignment=held, superseded_at=now)
    make.labelling(held.task, 0, assignment=held)
    assert Labelling.objects.current().count() == 1
