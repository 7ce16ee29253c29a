"""labeling.rules.words: every word is handled everywhere. A new one fails here until it is."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from django.apps import apps

from annotate.api.messages import SubmissionMessage
from annotate.models import Draft
from labeling import audit
from labeling.data.exporting import LabelFilter, standing
from labeling.data.exporting.choosing import INCLUDABLE
from labeling.data.formats.labels import READERS, WRITERS
from labeling.data.formats.labels.losses import WHOLE
from labeling.data.inspecting.inspection import TEXTS
from labeling.models import Labelling, Task
from labeling.models.jobs import kinds
from labeling.review import cases
from labeling.rules import ratings
from labeling.rules.audited import AuditAct, Audited
from labeling.rules.labelled import Labelled, LabelledCompletion
from labeling.rules.ratings import InvalidLabelling, Judgement, Protocol, StepRating
from labeling.rules.words import FileFormat, FinishReason, Grader, PhaseKind, Queue, RunKind, SolutionProgress
from prm_training.api import all_runs
from prm_training.worker import tasks
from tests.doors.listed import DOORS, ML_STAFF, STAFF
from tests.queues import QUEUES

ROOT = Path(__file__).resolve().parents[2]
REASONS = pytest.mark.parametrize("reason", FinishReason)
GIVING_UP = pytest.mark.parametrize("reason", [reason for reason in FinishReason if reason.traits.gives_up])
RATED = {FinishReason.FOUND_ERROR: -1}


def judgement(reason: FinishReason, note: str = "Why.") -> Judgement:
    return Judgement([StepRating(0, RATED.get(reason, 1))], reason.value, note)


@REASONS
@pytest.mark.parametrize("kind", PhaseKind)
def test_a_finish_reason_is_valid_in_its_kinds_of_phase_alone(reason, kind):
    protocol = Protocol(kind.value, 1)
    if kind in reason.traits.phase_kinds:
        ratings.check_judgement(judgement(reason), protocol, states_answer=True)
    else:
        with pytest.raises(InvalidLabelling):
            ratings.check_judgement(judgement(reason), protocol, states_answer=True)


@GIVING_UP
def test_whoever_gives_up_says_why(reason):
    with pytest.raises(InvalidLabelling, match="why"):
        ratings.check_judgement(judgement(reason, note=" "), Protocol("solutions", 1))


@REASONS
def test_a_browser_can_send_every_finish_reason(reason):
    sent = json.dumps({"ratings": [], "finish_reason": reason.value}).encode()
    assert type(msgspec.json.decode(sent, type=SubmissionMessage).submission().judgement.finish_reason) is str


@pytest.mark.parametrize("progress", SolutionProgress)
def test_a_browser_can_send_how_far_a_solution_got(progress):
    sent = json.dumps({"ratings": [], "finish_reason": "found_error", "solution_progress": progress.value}).encode()
    assert msgspec.json.decode(sent, type=SubmissionMessage).solution_progress == progress


def labelled(reason: FinishReason, rating: int) -> Labelled:
    completion = LabelledCompletion(0, 0, "2", rating, False, True)
    text = dict.fromkeys(("annotator_id", "phase", "generator", "verdict", "reference_solution", "problem_source"), "")
    return Labelled(
        **text,
        id="1",
        finish_reason=reason.value,
        active_ms=1,
        submitted_at=datetime(2026, 1, 1, tzinfo=UTC),
        source_record=None,
        is_gold=False,
        round_number=0,
        phase_kind="solutions",
        solution_steps=["2"],
        answer="2",
        problem_id="1",
        problem="1 + 1?",
        reference_answer="2",
        split="train",
        problem_hash="",
        completions=[completion],
    )


@REASONS
def test_a_rated_mistake_judges_the_solution_unless_the_finish_reason_is_void(reason):
    assert labelled(reason, -1).is_judged == (not reason.traits.is_void)


@REASONS
@pytest.mark.parametrize("name", sorted(WHOLE))
def test_lossless_formats_hold_every_finish_reason(reason, name):
    (record,) = WRITERS[name](labelled(reason, RATED.get(reason, 1)))
    assert READERS[name](record).finish_reason == reason.value


@REASONS
def test_labellings_are_searched_by_every_finish_reason(reason, make, admin_client):
    make.labelling(make.task(), RATED.get(reason, 1), finish_reason=reason.value)
    (found,) = admin_client.get("/api/labellings/", {"finish_reason": reason.value}).json()["results"]
    assert found["finish_reason"] == reason.value


@GIVING_UP
def test_give_ups_are_left_out_counted_and_included_if_named(reason, make, db):
    labelling = make.labelling(make.task(), 1, finish_reason=reason.value)
    assert reason.value in INCLUDABLE
    left, kept = LabelFilter(), LabelFilter(include=[reason.value])
    assert (standing.labellings(left).count(), standing.left_out(left)[reason.value]) == (0, 1)
    assert list(standing.labellings(kept)) == [labelling]


@pytest.mark.parametrize("reason", [reason for reason in FinishReason if reason.traits.queue])
def test_a_task_waits_in_the_queue_of_its_finish_reason(reason, make, db):
    task = make.task()
    make.labelling(task, 1, finish_reason=reason.value)
    assert list(cases.waiting(reason.traits.queue, Task.objects.all())) == [task]


def test_every_queue_has_a_test_of_what_waits_in_it():
    assert {*QUEUES, "disagreement"} == {*Queue}, "tests/queues.py puts a task into each"


RUNS = pytest.mark.parametrize("kind", RunKind)


@RUNS
def test_every_kind_of_run_has_a_table_that_is_listed_or_not(kind):
    assert kind == kinds()[kind].KIND
    assert kind in all_runs.SERIALIZERS


@RUNS
def test_every_kind_of_run_that_people_start_has_an_address_and_a_door(kind):
    addresses = {view.serializer_class.Meta.model.KIND: view for view in all_runs.LISTED}
    assert (kind in addresses) == bool(kind.traits.path)
    if kind.traits.path:
        assert DOORS[f"{kind.traits.path}/"]["POST"] == (ML_STAFF if kind.traits.is_for_ml_staff else STAFF)


@RUNS
def test_every_kind_of_run_has_work(kind):
    """Verifications are answered several at a time."""
    assert kind in {*tasks.WORK, *tasks.needs_torch().WORK, RunKind.VERIFY}
    assert kind.traits.queue in {"cpu", "gpu"}


def test_every_kind_of_run_has_the_queue_that_its_work_needs():
    """Runs that need a reward model go to the workers that hold models."""
    assert {kind for kind in tasks.needs_torch().WORK if RunKind(kind).traits.queue != "gpu"} == set()


def test_the_audit_log_is_about_tables_that_exist():
    assert {*Audited} <= {table._meta.model_name for table in apps.get_models()}


def test_the_audit_log_refuses_a_kind_of_row_that_it_has_no_word_for():
    with pytest.raises(ValueError, match="draft"):
        audit.record(by=None, act=AuditAct.CHANGE, on=Draft())


def test_left_out_labellings_are_counted_in_one_query(make, db, django_assert_num_queries):
    make.labelling(make.task(), 1)
    with django_assert_num_queries(1):
        counts = standing.left_out(LabelFilter())
    assert (sum(counts.values()), Labelling.objects.count()) == (0, 1)


@pytest.mark.parametrize("grader", Grader)
def test_the_import_page_says_what_a_grader_does(grader):
    words = (ROOT / "frontend/src/shared/words/vocabularies.ts").read_text()
    assert f'{grader}: {{ name: "{grader.label}", right: "{grader.help}" }}' in words


@pytest.mark.parametrize("file_format", FileFormat)
def test_the_import_page_says_what_a_format_becomes(file_format):
    page = (ROOT / "frontend/src/features/import/words.ts").read_text()
    entry = rf"^  {file_format}: {{\s[^}}]* target: (\w+),\s+isHeldOut: (\w+),\s+isCut: (\w+)"
    target, is_held_out, is_cut = re.findall(entry, page, re.MULTILINE)[0]
    rows = {"PHASE": ["labellings"], "PRM800K": ["labellings"], "GOLD": ["gold"], "SOURCE": ["solutions", "problems"]}
    assert file_format.traits.becomes in rows[target]
    assert (is_held_out == "true") == file_format.traits.is_held_out
    assert (is_cut == "true") == (file_format in TEXTS)


@GIVING_UP
def test_the_client_offers_a_way_out_in_the_kinds_of_phase_that_allow_it(reason):
    """Its test asks for the kinds; here its answers are compared with the server's."""
    test = (ROOT / "frontend/src/shared/words/waysOut.test.ts").read_text()
    kinds = reason.traits.phase_kinds
    said = "BOTH" if {*kinds} == {*PhaseKind} else json.dumps([*kinds])
    assert f"  {reason}: {said}," in test
