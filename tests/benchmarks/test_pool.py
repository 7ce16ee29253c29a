from __future__ import annotations

import gzip
from collections import Counter

import pytest

from benchmarks.lab.world import records
from benchmarks.lab.world.pool import DemoProblem, make_world


@pytest.fixture(scope="module")
def world() -> list[DemoProblem]:
    return make_world(seed=3, problems=300)


def test_the_same_seed_gives_the_same_world():
    assert make_world(5, 30, 4) == make_world(5, 30, 4)
    assert make_world(5, 30, 4) != make_world(6, 30, 4)


def test_a_larger_world_begins_like_a_smaller_one():
    assert make_world(5, 40)[:20] == make_world(5, 20)


def test_ids_and_statements_are_unique(world):
    assert len({problem.id for problem in world}) == len(world)
    assert len({problem.statement for problem in world}) == len(world)
    ids = [solution.id for problem in world for solution in problem.solutions]
    assert len(set(ids)) == len(ids) == 6 * len(world)


def test_there_are_many_subjects_and_both_splits(world):
    assert len({problem.subject for problem in world}) >= 6
    assert 0.15 < sum(problem.split == "test" for problem in world) / len(world) < 0.25


def test_about_half_of_the_solutions_end_wrong(world):
    outcomes = Counter(
        (solution.answer == problem.reference_answer, -1 in solution.ratings)
        for problem in world
        for solution in problem.solutions
    )
    total = outcomes.total()
    assert 0.45 <= (outcomes[False, True] + outcomes[False, False]) / total <= 0.55
    assert outcomes[False, False] == 0, "a wrong answer has its mistake"
    assert outcomes[True, True] / total > 0.015, "correct by luck"


def test_some_solutions_are_wrong_by_a_slip_at_the_end(world):
    solutions = [solution for problem in world for solution in problem.solutions]
    slips = [one for one in solutions if one.ratings[-1] == -1 and -1 not in one.ratings[:-1]]
    assert len(slips) > 0.03 * 6 * len(world)


def test_every_step_has_a_rating_and_some_are_neutral(world):
    solutions = [solution for problem in world for solution in problem.solutions]
    assert all(len(solution.steps) == len(solution.ratings) >= 2 for solution in solutions)
    ratings = Counter(rating for solution in solutions for rating in solution.ratings)
    assert set(ratings) == {-1, 0, 1}
    assert ratings[0] / ratings.total() > 0.05


def test_answers_stand_in_the_last_step(world):
    for problem in world:
        assert problem.reference_answer in problem.reference_solution.rpartition("\n\n")[2]
        for solution in problem.solutions:
            assert solution.answer in solution.steps[-1]


def test_every_text_has_balanced_math(world):
    for problem in world:
        texts = [problem.statement, *(step for solution in problem.solutions for step in solution.steps)]
        for text in texts:
            bare = text.replace("\\$", "")
            assert text.strip()
            assert bare.count("$") % 2 == 0, text
            assert bare.count("\\[") == bare.count("\\]"), text
            assert bare.count("{") == bare.count("}"), text


def test_the_demo_reads_what_the_generator_writes():
    assert gzip.decompress(records.DEMO.read_bytes()) == gzip.decompress(records.demo())
