"""Fixtures of small experiments: a tiny base, made once."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lab import best_of_n, human_replay
from benchmarks.lab.measured import Work
from benchmarks.lab.world.sampling import make_problems, sample
from prm_training.prm import pretrain

TINY = pretrain.PretrainConfig(vocabulary=300, hidden=16, layers=1, heads=2, steps=3)


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("base") / "model"
    texts = [(each.statement, one.steps) for each in make_problems(0, 22) for one in sample(each, 1, seed=3)]
    pretrain.make_base(texts, folder, TINY)
    return folder


@pytest.fixture(scope="session")
def work_with_base(tiny_base: Path) -> Callable[..., Work]:
    """Returns a `Work` in which an experiment with these settings finds the tiny base as its own."""

    def work_in(folder: Path, settings: Any, **others: Any) -> Work:
        work = Work(folder, folder, **{"say": lambda _: None} | others)
        experiment = human_replay if isinstance(settings, human_replay.Settings) else best_of_n
        shutil.copytree(tiny_base, experiment.base_folder(settings, work))
        return work

    return work_in
