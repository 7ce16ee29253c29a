from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny base, made once and never changed."""
    from prm_training.prm import pretrain

    folder: Path = tmp_path_factory.mktemp("tiny") / "base"
    tiny = pretrain.PretrainConfig(vocabulary=300, hidden=16, layers=1, heads=2, steps=2, epochs=1)
    pretrain.make_base([("What is 2 + 3?", ["2 + 3 = 5.", "The answer is 5."])], folder, tiny)
    return folder
