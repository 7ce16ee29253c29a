import pytest

from labeling.jobs import lifecycle
from prm_training.work import training


@pytest.fixture
def base(tiny_base, tmp_path, settings):
    """The folder of a tiny base; the test's files and models have folders of their own."""
    settings.MEDIA_ROOT, settings.MODELS_ROOT = tmp_path / "files", tmp_path / "models"
    return str(tiny_base)


@pytest.fixture
def carry_out():
    """Carries out a run, as a worker does."""

    def act(run, work):
        lifecycle.carry_out(run.pk, work, worker="here")
        run.refresh_from_db()
        assert (run.status, run.error) == ("done", "")
        return run

    return act


@pytest.fixture
def train(make, base):
    """Carries out a training run on six labellings, as a worker does."""
    phase = make.phase()
    for number in range(6):
        make.labelling(make.task(phase), 1, -1 if number % 2 else 0)

    def act(run=None):
        run = run or make.training_run(base=base, settings={"epochs": 1, "seed": 1})
        lifecycle.carry_out(run.pk, training.train, worker="here")
        run.refresh_from_db()
        return run

    return act
