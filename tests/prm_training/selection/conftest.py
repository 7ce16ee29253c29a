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
