"""`stepmark regrade`: grades again the solutions that an older grader graded."""

from io import StringIO

import pytest
from django.core.management import call_command

from labeling.grading import grader, regrading
from labeling.models import Solution
from labeling.rules.words import Grader

OLD = "stepmark-1"


@pytest.fixture
def graded(make):
    """Makes a solution with this answer and an older grader's verdict, to a problem whose answer is 3.5."""
    problem = make.problem(reference_answer="3.5")

    def of(answer, verdict, version=OLD):
        return make.solution(problem, answer=answer, verdict=verdict, grader_version=version)

    return of


def verdict_of(solution):
    solution.refresh_from_db()
    return solution.verdict, solution.grader_version


def test_it_works(graded):
    mixed, other = graded("3 1/2", "wrong"), graded("4 1/2", "wrong")
    assert regrading.regrade() == {("wrong", "right"): 1, ("wrong", "wrong"): 1}
    assert verdict_of(mixed) == ("right", Grader.MATHEMATICS.version)
    assert verdict_of(other) == ("wrong", Grader.MATHEMATICS.version)


@pytest.mark.parametrize("version", ["given", "adjudicated", Grader.MATHEMATICS.version])
def test_other_verdicts_stay(graded, version):
    kept = graded("3 1/2", "wrong", version)
    assert not regrading.regrade()
    assert verdict_of(kept) == ("wrong", version)


def test_an_experts_verdict_given_meanwhile_stays(graded, monkeypatch):
    solution = graded("3 1/2", "wrong")

    def slow(answer, reference):
        Solution.objects.filter(pk=solution.pk).update(verdict="wrong", grader_version="adjudicated")
        return "right"

    monkeypatch.setattr(grader, "grade", slow)
    regrading.regrade()
    assert verdict_of(solution) == ("wrong", "adjudicated")


def test_it_resumes_where_it_was_stopped(graded, monkeypatch):
    monkeypatch.setattr(regrading, "AT_ONCE", 2)
    for number in range(5):
        graded(f"3.5{number}", "unsure")

    def stop(rows):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        regrading.regrade(on_batch=stop)
    assert Solution.objects.filter(grader_version=OLD).count() == 3
    assert regrading.regrade().total() == 3


def test_the_command_says_what_changed(graded):
    graded("3 1/2", "wrong")
    call_command("regrade", stdout=(told := StringIO()))
    assert "wrong -> right: 1" in told.getvalue()
    call_command("regrade", stdout=(told := StringIO()))
    assert "Nothing" in told.getvalue()
