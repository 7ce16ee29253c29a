"""The sign-in throttle, over HTTP: all web processes count together."""

import httpx
import pytest

from tests.product.world import World

pytestmark = pytest.mark.product
TRIES = 10  # for one name, before it must wait


def guess(world: World, number: int) -> int:
    """Guesses on a new connection, for any web process, with a new forged address. Returns the status."""
    address = f"{world.product.address}/api/session/"
    with httpx.Client(headers={"X-Forwarded-For": f"203.0.113.{number}"}, trust_env=False) as browser:
        browser.get(address)
        headers = {"X-CSRFToken": browser.cookies["csrftoken"]}
        return browser.post(address, json={"username": "nobody", "password": "x"}, headers=headers).status_code


def test_web_processes_count_wrong_passwords_together(world: World) -> None:
    assert [guess(world, number) for number in range(TRIES)] == [400] * TRIES
    assert {guess(world, number) for number in range(8)} == {429}
