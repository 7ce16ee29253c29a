"""Addresses without the ids in them."""

import re
from functools import cache


@cache
def without_names(address: str) -> str:
    """`rounds/<uuid:pk>/` in a route and `rounds/{id}/` in the schema are one: `rounds/{}/`."""
    return re.sub("<.*?>|{.*?}", "{}", address)
