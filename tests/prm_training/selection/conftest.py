"""Fixtures of selections: a report and a scored pool."""

import pytest


@pytest.fixture
def report():
    """Collects a job's reports, as its row would."""
    reports = []

    def tell(**columns):
        reports.append(columns)

    tell.all = reports
    return tell


@pytest.fixture
def reward_model(make):
    return make.reward_model()


@pytest.fixture
def scored(make, reward_model):
    """Six wrong answers to six problems, the last the most convincing."""
    solutions = make.solutions(6)
    for number, solution in enumerate(solutions):
        make.score(reward_model, solution, -6.0 + number)
    return solutions
