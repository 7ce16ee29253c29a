"""Judges for scripted annotators, who see what a browser gets: problem, current guess, steps."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from benchmarks.lab.world.pool import DemoProblem
from labeling.rules.texts.statements import identity

Judge = Callable[[dict[str, Any]], list[int]]
Text = tuple[str, tuple[str, ...]]  # a problem and the steps of a solution


def by_truth(world: Sequence[DemoProblem]) -> Judge:
    """Returns a judge who knows the true rating of every step of the demo world."""
    return by_ratings(
        {(problem.statement, solution.steps): solution.ratings for problem in world for solution in problem.solutions}
    )


def by_ratings(known: Mapping[Text, Sequence[int]]) -> Judge:
    """Returns a judge who gives each solution's known ratings, up to the first negative."""

    known_as = {(identity(statement), steps): ratings for (statement, steps), ratings in known.items()}

    def judge(assignment: dict[str, Any]) -> list[int]:
        key = identity(assignment["problem"]["statement"]), tuple(assignment["solution"]["steps"])
        return until_first_negative(known_as[key])

    return judge


def until_first_negative(ratings: Sequence[int]) -> list[int]:
    """Returns the ratings that the protocol lets an annotator give."""
    end = ratings.index(-1) + 1 if -1 in ratings else len(ratings)
    return list(ratings[:end])
