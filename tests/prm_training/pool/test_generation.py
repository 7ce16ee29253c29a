"""prm_training.pool.generation: fills a pool from a generator, over a real socket."""

import hashlib

import pytest

from labeling.completions.generator import GeneratorFailed
from labeling.jobs.lifecycle import Cancelled, Interrupted
from labeling.models import Solution
from labeling.rules.texts.cutting import VERSION
from prm_training.models import Generation
from prm_training.pool import generation
from tests.generator import Handler

RIGHT = "2 and 3 make 5.\n\n# Answer\n\n5"
WRONG = "2 and 3 make 6.\n\n# Answer\n\n6"


@pytest.fixture
def problems(make):
    return sorted((make.problem() for _ in range(3)), key=lambda row: row.pk)


@pytest.fixture
def run(make, generator):
    return make.generation(generator_url=generator.url, samples=2, status="running")


@pytest.fixture
def report(run):
    """Reports to the row, as lifecycle's reporter does. Raises an error once `stop_at` problems are done."""

    def tell(**columns):
        Generation.objects.filter(pk=run.pk).update(**columns)
        run.refresh_from_db()
        if columns.get("done") == tell.stop_at[0]:
            raise tell.stop_at[1]

    tell.stop_at = (None, None)
    return tell


def one_at_a_time(settings):
    settings.GENERATION_CALLS_AT_ONCE = 1


def work(run, report):
    run.save()  # what a test changed: every report reads the row again
    generation.generate(run, report, generation.over_http)


def test_its_texts_are_cut_by_its_rule(run, problems, generator, report, admin_client):
    generator.answers = [["2 and 3.\nThey make 5.\n\n# Answer\n\n5", WRONG]]
    run.split_by = "lines"
    work(run, report)
    (row,) = [each for each in Solution.objects.filter(problem=problems[0]) if len(each.steps) == 3]
    assert row.steps == ["2 and 3.", "They make 5.", "# Answer\n\n5"]
    origin = admin_client.get(f"/api/pool/solutions/{row.pk}/").json()["origin"]
    assert (origin["split_by"], origin["split_version"]) == ("lines", VERSION)


def test_a_mark_of_its_own_cuts_and_is_left_out(run, problems, generator, report):
    generator.answers = [["Add.<step>\n\nSo 5.", RIGHT]]
    run.split_by, run.mark = "mark", "<step>"
    work(run, report)
    assert ["Add.", "So 5."] in [row.steps for row in Solution.objects.filter(problem=problems[0])]


def test_it_works(run, problems, generator, report):
    generator.answers = [[RIGHT, WRONG]]
    work(run, report)
    rows = Solution.objects.filter(problem=problems[0]).order_by("answer")
    assert [(row.answer, row.verdict, len(row.steps)) for row in rows] == [("5", "right", 2), ("6", "wrong", 2)]
    assert {(row.generator, row.source) for row in rows} == {("prover", "generated")}
    counts = {"problems": 3, "written": 6, "new": 6, "right": 3, "wrong": 3}
    assert (run.summary, run.done, run.total) == (counts, 3, 3)
    asked = generator.asked[0]
    assert (asked["model"], asked["n"], asked["temperature"], asked["max_tokens"]) == ("prover", 2, 0.8, 1024)
    assert "stop" not in asked
    assert any(problems[0].statement in asked["prompt"] for asked in generator.asked)


def test_equal_texts_count_once(run, problems, generator, report):
    generator.answers = [[RIGHT, RIGHT]]
    work(run, report)
    assert Solution.objects.count() == 3
    assert run.summary == {"problems": 3, "written": 6, "new": 3, "known": 3, "right": 3}


def test_solutions_of_the_pool_are_not_written_again(run, problems, generator, report):
    generator.answers = [[RIGHT]]
    work(run, report)
    Generation.objects.filter(pk=run.pk).update(written_until=None, summary={})
    run.refresh_from_db()
    work(run, report)
    assert (Solution.objects.count(), run.summary["known"]) == (3, 6)


def test_a_text_ends_where_it_should(run, problems, generator, report):
    run.stop = ["Problem:"]
    generator.answers = [[f"{RIGHT}\n\nProblem: another", "Problem: nothing at all"]]
    work(run, report)
    assert {tuple(row.steps) for row in Solution.objects.all()} == {("2 and 3 make 5.", "# Answer\n\n5")}
    assert run.summary["unusable"] == 3
    assert generator.asked[0]["stop"] == ["Problem:"]


def test_no_answer_is_unsure(run, problems, generator, report):
    generator.answers = [["I give up."]]
    work(run, report)
    assert run.summary["unsure"] == 3


def test_only_the_problems_asked_for(run, problems, make, generator, report):
    wanted = make.problem(source="gsm8k", split="test")
    run.problem_source, run.split = "gsm8k", "test"
    generator.answers = [[RIGHT]]
    work(run, report)
    assert [row.problem for row in Solution.objects.all()] == [wanted]


def test_a_problem_belongs_to_every_source_that_has_solutions_of_it(run, problems, make, generator, report):
    make.solution(problems[0], source="second campaign")
    run.problem_source = "second campaign"
    generator.answers = [[RIGHT]]
    work(run, report)
    assert [row.problem for row in Solution.objects.filter(source="generated")] == [problems[0]]


def test_only_the_newest_version_of_a_problem(run, problems, make, generator, report):
    for old in problems[1:]:
        old.replaced_by = problems[0]
        old.save()
    generator.answers = [[RIGHT]]
    work(run, report)
    assert [row.problem for row in Solution.objects.all()] == [problems[0]]


def test_the_number_of_problems_is_limited(run, problems, generator, report):
    run.most_problems = 2
    generator.answers = [[RIGHT]]
    work(run, report)
    assert [row.problem for row in Solution.objects.order_by("problem")] == problems[:2]
    assert (run.done, run.total) == (2, 2)


@pytest.mark.parametrize("why", [Interrupted, Cancelled])
def test_a_killed_worker_loses_no_batch_and_repeats_none(run, problems, generator, report, settings, why):
    one_at_a_time(settings)
    generator.answers = [[RIGHT, WRONG]]
    report.stop_at = (2, why)
    with pytest.raises(why):
        work(run, report)
    asked_before = len(generator.asked)
    report.stop_at = (None, None)
    run.refresh_from_db()
    work(run, report)
    assert run.summary == {"problems": 3, "written": 6, "new": 6, "right": 3, "wrong": 3}
    assert Solution.objects.count() == 6
    assert len(generator.asked) <= asked_before + 2


def test_a_failure_is_tried_again(run, problems, generator, report, settings):
    one_at_a_time(settings)
    generator.answers = [lambda handler: handler.reply(500, ""), [RIGHT]]
    work(run, report)
    assert run.summary["new"] == 3


def test_a_generator_that_keeps_failing_ends_the_run_and_what_was_written_stays(
    run, problems, generator, report, settings
):
    one_at_a_time(settings)
    generator.answers = [[RIGHT, WRONG], lambda handler: handler.reply(500, "")]
    with pytest.raises(GeneratorFailed, match="500"):
        work(run, report)
    assert len(generator.asked) == 1 + generation.TRIES
    assert (Solution.objects.count(), run.done) == (2, 1)


def test_cancelling_does_not_wait_for_a_slow_generator(run, problems, generator, report):
    def slow(handler: Handler) -> None:
        handler.server.hurry.wait(20)
        handler.send([RIGHT])

    generator.answers = [slow]
    report.stop_at = (0, Cancelled)
    with pytest.raises(Cancelled):
        work(run, report)
    assert not Solution.objects.exists()


ADDRESS = "/api/generations/"
BODY = {"name": "llama", "generator_url": "http://127.0.0.1:8000/v1", "generator_model": "llama"}


@pytest.mark.usefixtures("ready")
def test_staff_start_one(ml_staff, ml_staff_client, broker, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        answer = ml_staff_client.post(ADDRESS, BODY | {"samples": 4, "stop": ["\n\nProblem:"]})
    assert answer.status_code == 201
    run = Generation.objects.get()
    assert (run.owner, run.samples, run.stop, run.split) == (ml_staff, 4, ["\n\nProblem:"], "train")
    assert broker() == [("prm_training.run", "generate", str(run.pk))]


@pytest.mark.usefixtures("ready", "broker")
@pytest.mark.parametrize(("given", "rule"), [({}, "usual"), ({"mark": "@@"}, "mark")])
def test_a_mark_alone_implies_its_rule(ml_staff_client, given, rule):
    assert ml_staff_client.post(ADDRESS, BODY | given).json()["split_by"] == rule


@pytest.mark.usefixtures("ready", "broker")
def test_a_mark_with_another_rule_is_refused(ml_staff_client):
    refused = ml_staff_client.post(ADDRESS, BODY | {"mark": "@@", "split_by": "lines"})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["mark"])


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"generator_model": ""},
        {"generator_url": "localhost"},
        {"samples": 0},
        {"samples": 257},
        {"temperature": 2.1},
        {"max_tokens": 0},
        {"stop": ["x"] * 5},
        {"stop": "x"},
        {"split": "dev"},
        {"split_by": "dev"},
        {"split_by": "model"},
        {"most_problems": 0},
    ],
)
def test_a_bad_body_is_refused(ml_staff_client, refused, change):
    answer = refused(ml_staff_client.post(ADDRESS, BODY | change), 400, "invalid")
    assert list(answer["errors"]) == list(change)


def test_a_local_model_must_be_there(ml_staff_client, refused):
    body = BODY | {"generator_url": "", "generator_model": "/no/such/model"}
    assert "config.json" in refused(ml_staff_client.post(ADDRESS, body), 400, "invalid")["detail"]


def test_solutions_are_identified_by_a_hash_of_their_steps(run, problems, generator, report):
    generator.answers = [[RIGHT]]
    work(run, report)
    steps = b'["2 and 3 make 5.", "# Answer\\n\\n5"]'
    assert Solution.objects.first().text_hash == hashlib.sha256(steps).hexdigest()


def test_how_the_solutions_are_shown_is_guessed_from_the_first(run, problems, generator, report):
    generator.answers = [["```python\nprint(5)\n```", "## Answer\n\n**5**"]]
    work(run, report)
    assert (run.markup, run.is_markup_guessed) == ("markdown", True)
    assert set(Solution.objects.values_list("markup", flat=True)) == {"markdown"}


def test_how_the_solutions_are_shown_may_be_chosen(run, problems, generator, report):
    generator.answers = [[RIGHT]]
    run.markup = "plain"
    work(run, report)
    assert (set(Solution.objects.values_list("markup", flat=True)), run.is_markup_guessed) == ({"plain"}, False)
