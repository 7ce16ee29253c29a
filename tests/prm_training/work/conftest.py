import pytest

from prm_training.prm import pretrain

TINY = pretrain.PretrainConfig(vocabulary=300, hidden=16, layers=1, heads=2, steps=2, epochs=1)


@pytest.fixture
def base(tmp_path, settings):
    """The folder of a tiny one, beside folders of the test's own for files and models."""
    settings.MEDIA_ROOT, settings.MODELS_ROOT = tmp_path / "files", tmp_path / "models"
    pretrain.make_base([("What is 2 + 3?", ["2 + 3 = 5.", "The answer is 5."])], tmp_path / "base", TINY)
    return str(tmp_path / "base")
