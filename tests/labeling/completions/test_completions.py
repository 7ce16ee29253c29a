"""labeling.completions.sets: the completions offered after a path, and calls of a generator for them."""

import json
import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from labeling.completions import sets
from labeling.completions.generator import GeneratorFailed
from labeling.completions.sets import Place
from labeling.jobs import lifecycle
from labeling.models import CompletionSet, RatedCompletion, Run

TREE = [["a", "b", "c"], ["a", "b", "d"], ["a", "x"], ["e"]]


@pytest.fixture
def problem(make):
    """A problem with four solutions that begin alike."""
    problem = make.problem()
    for steps in TREE:
        make.solution(problem, steps=steps)
    return problem


@pytest.fixture
def offer(problem, now):
    def act(*path, purpose="step", after=timedelta(0), **named):
        place = Place(problem, list(path), purpose)
        return sets.offer(place, now=now + after, **named)

    return act


@pytest.fixture
def trees(make):
    """A phase that offers stored trees only."""
    return make.phase(kind="alternatives")


@pytest.fixture
def online(make, generator):
    """A phase with an HTTP generator."""
    return make.phase(kind="alternatives", generator_url=generator.url, generator_model="prover")


@pytest.fixture
def local(make):
    """A phase with a local model."""
    return make.phase(kind="alternatives", generator_model="/models/tiny")


@pytest.mark.parametrize(
    ("path", "texts"),
    [((), {"a", "e"}), (("a",), {"b", "x"}), (("a", "b"), {"c", "d"}), (("e",), set()), (("z",), set())],
)
def test_stored_trees(offer, trees, path, texts):
    found = offer(*path, phase=trees)
    assert (found.status, set(found.texts), len(found.texts)) == ("ready", texts, len(texts))


def test_another_problems_solutions_are_not_offered(make, offer, trees):
    make.solution(steps=["other"])
    assert "other" not in offer(phase=trees).texts


def test_solutions_outside_the_phases_sources_are_not_offered(make, offer, problem):
    phase = make.phase(kind="alternatives", sources=["world"])
    elsewhere = make.solution(problem, steps=["z", "y"], source="another campaign")
    assert set(offer(phase=phase).texts) == {"a", "e"}
    assert offer("z", phase=phase).texts == []
    assert set(offer(phase=phase, first=elsewhere).texts) == {"a", "e", "z"}, "a task's own is always there"


def imported(make, problem, steps, *rows):
    """Makes the rows of an import of PRM800K: a solution, and alternatives beside its steps."""
    task = make.task(solution=make.solution(problem, steps=steps, in_pool=False))
    labelling = make.labelling(task, source_hash=str(task.pk))
    RatedCompletion.objects.bulk_create(
        RatedCompletion(labelling=labelling, step=step, completion=number, text=text, rating=1, is_human=is_human)
        for number, (step, text, is_human) in enumerate(rows)
    )


def test_imported_alternatives(make, offer, trees, problem):
    imported(make, problem, ["a", "b"], (0, "a", False), (0, "q", False), (1, "r", False), (1, "written", True))
    assert set(offer(phase=trees).texts) == {"a", "e", "q"}
    assert set(offer("a", phase=trees).texts) == {"b", "x", "r"}
    assert set(offer("e", phase=trees).texts) == set()


def test_annotators_own_texts_are_not_offered(make, offer, trees, problem):
    labelling = make.labelling(make.task(solution=problem.solutions.first()))
    RatedCompletion.objects.create(labelling=labelling, step=0, completion=1, text="theirs", rating=1)
    assert "theirs" not in offer(phase=trees).texts


def test_the_order_is_the_same_for_everybody_and_says_nothing(offer, trees, problem):
    orders = {
        tuple(offer(*path, phase=trees, first=solution).texts)
        for path in [(), ("a",)]
        for solution in problem.solutions.all()
    }
    assert len(orders) == 2


def test_the_phases_number_is_offered_including_the_solutions_own_step(make, offer, problem):
    few = make.phase(alternatives_per_step=1)
    for solution in problem.solutions.all():
        assert offer(phase=few, first=solution).texts == [solution.steps[0]]


def test_a_text_left_out_takes_no_place(make, offer, problem):
    assert offer(phase=make.phase(alternatives_per_step=1), leaving_out="a").texts == ["e"]


def test_a_generator_adds_what_is_missing(offer, online, generator, problem):
    generator.answers = [["new", "a", "newer"]]
    found = offer(phase=online)
    assert (found.status, set(found.texts)) == ("ready", {"a", "e", "new", "newer"})
    assert problem.statement in generator.asked[0]["prompt"]


def test_a_generator_is_asked_once(offer, online, generator):
    generator.answers = [["new", "newer"]]
    first = offer(phase=online)
    assert offer(phase=online, after=timedelta(days=1), again=True) == first
    assert len(generator.asked) == 3, "one offer: the server was asked again for the two that were missing"
    assert offer("a", phase=online).status == "ready"


def test_a_generator_is_not_asked_if_trees_are_enough(make, offer, generator):
    phase = make.phase(alternatives_per_step=2, generator_url=generator.url, generator_model="prover")
    assert len(offer(phase=phase).texts) == 2
    assert not generator.asked


def test_critiques_come_from_the_generator_only(offer, trees, online, generator):
    assert offer("a", purpose="critique", phase=trees).texts == []
    generator.answers = [["It isn't a."]]
    assert offer("a", purpose="critique", phase=online).texts == ["It isn't a."]
    assert generator.asked[0]["prompt"].endswith("in one or two sentences:")


def test_a_failure_is_reported_and_trees_are_still_offered(offer, online, generator):
    generator.answers = [lambda handler: handler.reply(503, "")]
    found = offer(phase=online)
    assert (found.status, set(found.texts)) == ("failed", {"a", "e"})
    assert "503" in found.detail


def test_after_a_failure_it_is_asked_again_on_demand_only(offer, online, generator):
    generator.answers = [lambda handler: handler.reply(503, ""), ["new", "newer"]]
    offer(phase=online)
    assert offer(phase=online, after=timedelta(hours=1)).status == "failed"
    assert len(generator.asked) == 1
    found = offer(phase=online, again=True)
    assert (found.status, set(found.texts)) == ("ready", {"a", "e", "new", "newer"})


def begun(phase, problem, now, **columns):
    plain = {"purpose": "step", "path": [], "path_hash": sets.path_hash([]), "wanted": 4}
    running = {"status": "running", "started_at": now, "heartbeat_at": now}
    generator = {"generator_url": phase.generator_url, "generator_model": phase.generator_model}
    return CompletionSet.objects.create(problem=problem, **plain | running | generator | columns)


def test_while_another_call_is_on_its_way_none_is_made(offer, online, problem, generator, now):
    begun(online, problem, now)
    found = offer(phase=online, again=True)
    assert (found.status, found.texts) == ("pending", [])
    assert not generator.asked


def test_a_call_whose_process_died_may_be_made_again(offer, online, problem, generator, now):
    begun(online, problem, now)
    generator.answers = [["new", "newer"]]
    late = timedelta(minutes=2)
    found = offer(phase=online, after=late)
    assert (found.status, found.detail) == ("failed", "The generator stopped while writing.")
    assert not generator.asked
    assert offer(phase=online, after=late, again=True).status == "ready"


@pytest.mark.django_db(transaction=True)
def test_texts_that_were_offered_do_not_change(transactional_db, online, problem, generator, now):
    """A process presumed dead may still return other texts."""
    place, late = Place(problem, ["z"]), now + timedelta(minutes=2)

    def slowly(handler):
        generator.answers = [["the second one's"]]
        assert sets.offer(place, phase=online, now=late, again=True).texts == ["the second one's"]
        connection.close()  # the server's own thread opened it
        handler.reply(200, json.dumps({"choices": [{"text": "the first one's"}]}))

    generator.answers = [slowly]
    assert sets.offer(place, phase=online, now=now).texts == ["the second one's"]
    assert CompletionSet.objects.get().texts == ["the second one's"]


def test_a_slow_generator_does_not_keep_every_thread(offer, online, generator):
    for _ in range(sets.CALLS_AT_ONCE):
        assert sets._calls.acquire(blocking=False)
    try:
        found = offer(phase=online)
        assert (found.status, found.detail) == ("pending", "Waiting for the generator.")
        assert not generator.asked
    finally:
        for _ in range(sets.CALLS_AT_ONCE):
            sets._calls.release()
    generator.answers = [["new", "newer"]]
    assert offer(phase=online).status == "ready"


@pytest.mark.django_db(transaction=True)
def test_many_tabs_at_once_make_one_call(
    make, transactional_db, online, problem, generator, at_once, crowd, settings, now
):
    """The server answers only once all tabs have asked."""
    settings.GENERATOR_TIMEOUT_SECONDS = 300
    waiting, round_id = threading.Semaphore(0), make.task().round_id
    four = json.dumps({"choices": [{"text": text} for text in ("1", "2", "3", "4")]})

    def answer(handler):
        for _ in range(crowd - 1):
            waiting.acquire(timeout=300)
        handler.reply(200, four)

    def tab(_):
        found = sets.offer(Place(problem, [], round_id=round_id), phase=online, now=now)
        waiting.release()
        return found.status

    generator.answers = [answer]
    assert sorted(at_once(tab, range(crowd))) == ["pending"] * (crowd - 1) + ["ready"]
    assert len(generator.asked) == 1


def written(asked, author):
    """Writes the requested completions as a worker does."""
    lifecycle.carry_out(asked.pk, lambda run, report: report(stage="done", texts=author(run)), worker="here")


def test_a_local_model_writes_in_the_worker(offer, local, problem, broker, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        assert offer(phase=local).status == "pending"
    asked = CompletionSet.objects.get()
    assert broker() == [("prm_training.run", "complete", str(asked.pk))]
    with django_capture_on_commit_callbacks(execute=True):
        assert offer(phase=local).status == "pending"
    assert broker() == [], "the heartbeat enqueues it again, not every look"
    written(asked, lambda _: ["new", "newer"])
    found = offer(phase=local)
    assert (found.status, set(found.texts)) == ("ready", {"a", "e", "new", "newer"})


def test_completions_that_another_worker_writes_are_not_written_twice(local, problem):
    asked = begun(local, problem, timezone.now())
    written(asked, lambda _: pytest.fail("written twice"))
    assert CompletionSet.objects.get().status == "running"


def test_a_local_model_that_fails_is_asked_again_on_demand(offer, local, broker, django_capture_on_commit_callbacks):
    def fails(_):
        raise GeneratorFailed("No such model.")

    offer(phase=local)
    asked = CompletionSet.objects.get()
    with pytest.raises(GeneratorFailed):
        written(asked, fails)
    found = offer(phase=local)
    assert (found.status, found.detail) == ("failed", "No such model.")
    with django_capture_on_commit_callbacks(execute=True):
        assert offer(phase=local, again=True).status == "pending"
    assert broker() == [("prm_training.run", "complete", str(asked.pk))]


def test_a_worker_with_a_recent_heartbeat_is_not_presumed_dead(offer, local, problem, now):
    asked = begun(local, problem, now)
    later = timedelta(minutes=5)
    Run.objects.filter(pk=asked.pk).update(heartbeat_at=now + later)
    assert offer(phase=local, after=later).status == "pending"
    assert offer(phase=local, after=later * 2).status == "failed"


def test_without_a_broker_nothing_is_lost(offer, local, dead_broker, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        offer(phase=local)
    assert CompletionSet.objects.unfinished().get().status == "queued"


def test_two_phases_with_one_generator_share_what_it_wrote(make, offer, online, generator):
    generator.answers = [["new", "newer"]]
    other = make.phase(generator_url=generator.url, generator_model="prover")
    assert offer(phase=online) == offer(phase=other)
    assert CompletionSet.objects.count() == 1


class TestNeverOffered:
    def check(self, problem, path, *texts, purpose="step"):
        return sets.never_offered([(Place(problem, list(path), purpose), texts)])

    def test_from_trees(self, problem):
        assert self.check(problem, ["a"], "b", "x") is None
        assert self.check(problem, ["a"], "b", "y").path == ["a"]
        assert self.check(problem, [], "b") is not None

    def test_from_a_generator(self, offer, online, generator, problem):
        generator.answers = [["new"]]
        offer("a", phase=online)
        assert self.check(problem, ["a"], "b", "new") is None
        assert self.check(problem, [], "new") is not None
        assert self.check(problem, ["a"], "new", purpose="critique") is not None

    def test_no_texts_need_no_offer(self, problem):
        assert self.check(problem, ["z"]) is None
        assert sets.never_offered([]) is None

    def test_many_steps_read_the_trees_once(self, problem, django_assert_num_queries):
        asked = [(Place(problem, steps[:number]), [step]) for steps in TREE for number, step in enumerate(steps)]
        with django_assert_num_queries(2):
            assert sets.never_offered(asked) is None
