"""What the tests of selections share."""

import pytest


@pytest.fixture
def report():
    """Keeps what a job reported, as the row would."""
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
