"""Fixtures of small experiments: a tiny base, made once."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lab import best_of_n, human_replay
from benchmarks.lab.measured import Work
from prm_training.prm import pretrain

TINY = pretrain.PretrainConfig(vocabulary=300, hidden=16, layers=1, heads=2, steps=3)


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base")
    settings = replace(best_of_n.QUICK, base_problems=22, base_steps=TINY.steps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(best_of_n, "PretrainConfig", partial(replace, TINY))
        return best_of_n.make_base(settings, Work(folder, folder, lambda _: None))


@pytest.fixture(scope="session")
def work_with_base(tiny_base: Path) -> Callable[..., Work]:
    """Returns a `Work` in which an experiment with these settings finds the tiny base as its own."""

    def work_in(folder: Path, settings: Any, **others: Any) -> Work:
        work = Work(folder, folder, **{"say": lambda _: None} | others)
        experiment = human_replay if isinstance(settings, human_replay.Settings) else best_of_n
        shutil.copytree(tiny_base, experiment.base_folder(settings, work))
        return work

    return work_in
