"""An autopilot, by a clock that goes: rows know when they were made."""

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
    """Switches the phase's autopilot on, beside a pool with something in it."""
    make.solution()

    def act(**settings):
        autopilot.change(phase=phase, by=ml_staff, settings={"size": 2, "emails": ["lab@example.org"]} | settings)
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
