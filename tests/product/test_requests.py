"""A scripted annotator of `make bench-load` sends what the page does."""

import pytest

from benchmarks.load.annotators import Log, Person
from benchmarks.load.page_requests import DRAFT, EACH_TASK, FIRST_LOAD
from tests.product.words import PASSWORD
from tests.product.world import World

pytestmark = [pytest.mark.product, pytest.mark.any_database]


def test_a_scripted_annotator_sends_what_the_page_does(world: World) -> None:
    phase = world.new_phase("Scripted", ["ben"])
    world.publish(phase, policy="uniform", size=3)
    ben = Person(world.product.address, phase["id"], "ben", PASSWORD)
    ben.page.log = Log()
    done = list(ben.works())
    ben.page.close()
    assert ben.page.log.requests == [*FIRST_LOAD, *[DRAFT, *EACH_TASK] * 3]
    assert len(done) == len({labelling for labelling, _ in ben.page.log.acknowledged}) == 3
