"""`doctor` of a running product: all is well, until something isn't."""

import pytest

from tests.product.world import World
from tests.running.product import ProductError

pytestmark = pytest.mark.product


def test_the_doctor_says_what_is_wrong(world: World) -> None:
    said = world.product.manage("doctor")
    assert "WRONG" not in said
    assert "All migrations are applied." in said
    world.product.manage("migrate", "prm_training", "zero", "--fake", "--verbosity", "0")
    try:
        with pytest.raises(ProductError, match=r"WRONG database +The database lacks 1 migrations"):
            world.product.manage("doctor")
    finally:
        world.product.manage("migrate", "prm_training", "--fake", "--verbosity", "0")
