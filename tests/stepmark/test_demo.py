"""stepmark.demo.installation: the phase whose solutions are built from alternatives. The rest runs in `make demo`."""

import pytest

from labeling.models import Guidelines, Phase
from stepmark.demo import installation

FORKS = [["a", "b"], ["c"], ["d"]]
FORK = [["a"], ["b"]]
LINE = [["a", "b"], ["a", "c"]]


@pytest.fixture
def phase(db):
    return installation._phase(installation.STEP_BY_STEP, instructions=installation.ALTERNATIVES, kind="alternatives")


@pytest.fixture
def problem(make):
    def act(trees, source="demo"):
        problem = make.problem()
        for number, steps in enumerate(trees):
            make.solution(problem, steps=steps, source=source, external_id=f"{problem.pk} {number}")
        return problem

    return act


def test_it_publishes_problems_whose_solutions_begin_differently(phase, problem, monkeypatch):
    monkeypatch.setattr(installation, "TREES", 2)
    problem(LINE)
    chosen = [problem(FORK), problem(FORKS)]
    problem(FORKS, source="another")
    installation._publish_trees(phase)
    tasks = phase.rounds.get().tasks.all()
    assert {task.solution.problem for task in tasks} == set(chosen)


def test_problems_with_the_most_beginnings_come_first(phase, problem, monkeypatch):
    monkeypatch.setattr(installation, "TREES", 1)
    problem(FORK)
    most = problem(FORKS)
    installation._publish_trees(phase)
    assert phase.rounds.get().tasks.get().solution.problem == most


def test_running_twice_adds_nothing(phase, problem):
    problem(FORKS)
    for _ in range(2):
        again = installation._phase(installation.STEP_BY_STEP, instructions="other", kind="alternatives")
        installation._publish_trees(again)
    assert (again, again.rounds.count(), again.kind) == (phase, 1, "alternatives")
    assert Guidelines.objects.get().text == Phase.objects.get().instructions == installation.ALTERNATIVES


def test_its_annotators_are_members(db):
    installation._people()
    phase = installation._phase(installation.PHASE, instructions=installation.SOLUTIONS)
    assert set(phase.memberships.labelling().values_list("user__username", flat=True)) == {"ada", "ben"}
    assert phase.memberships.get(role="ml_staff").user.username == "ml"


def test_a_demo_without_the_second_phase_is_not_ready(make, phase, problem):
    main = installation._phase(installation.PHASE, instructions=installation.SOLUTIONS)
    make.task(main, number=len(installation.LABELLED_ROUNDS))
    assert not installation.is_ready()
    problem(FORK)
    installation._publish_trees(phase)
    assert not installation.is_ready()
    installation._publish_traces()
    assert installation.is_ready()


def test_its_agents_phase_rates_every_step_of_its_own_traces(db):
    for _ in range(2):
        installation._publish_traces()
    phase = Phase.objects.get()
    assert (phase.profile, phase.rates_all_steps, phase.sources) == ("agents", True, ["demo agents"])
    solutions = [task.solution for task in phase.rounds.get().tasks.select_related("solution")]
    assert len(solutions) == 10
    assert all(solution.turns and solution.problem.conversation for solution in solutions)
