"""Fixtures of autopilots, under a clock that advances, since rows record when they were made."""

from datetime import timedelta

import pytest
from django.utils import timezone

from prm_training.loop import autopilot


@pytest.fixture
def snapshot(make):
    return make.snapshot(counts={"labellings": 3, "labels": 9})


@pytest.fixture
def current(make, snapshot):
    run = make.training_run(status="done", snapshot=snapshot)
    return make.reward_model(training_run=run, is_current=True)


@pytest.fixture
def on(make, phase, ml_staff, broker):
    """Switches the phase's autopilot on, with a pool to select from."""
    make.solution()

    def act(**settings):
        autopilot.change_autopilot(
            phase=phase, by=ml_staff, settings={"size": 2, "emails": ["lab@example.org"]} | settings
        )
        return autopilot.switch_on(phase=phase, by=ml_staff, now=timezone.now())

    return act


@pytest.fixture
def on_again(phase, ml_staff):
    def act(**options):
        return autopilot.switch_on(phase=phase, by=ml_staff, now=timezone.now(), **options)

    return act


@pytest.fixture
def advance():
    def act(**later):
        return autopilot.advance_all(now=timezone.now() + timedelta(**later))

    return act
