"""One product for the whole folder, started again if a test has stopped it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.product import world as worlds
from tests.product.world import Row, World


@pytest.fixture(scope="session")
def running_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder: Path = tmp_path_factory.mktemp("product")
    with worlds.running(folder) as world:
        yield world


@pytest.fixture
def world(running_world: World) -> World:
    """The running product, with a worker."""
    if not running_world.is_up():
        running_world.product.start()
    return running_world


@pytest.fixture(scope="session")
def labels(running_world: World) -> Row:
    """A phase with one labelled and closed round to train on."""
    if not running_world.is_up():
        running_world.product.start()
    return running_world.labelled_phase()
