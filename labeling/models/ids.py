"""Ids in chronological order."""

from secrets import randbits
from time import time_ns
from uuid import UUID


def new_ids(count: int) -> list[UUID]:
    """Ids in order, later than earlier ones (UUID version 7, RFC 9562): neighbours stay together in the indexes."""
    at, random = time_ns() // 1_000_000, sorted(randbits(74) for _ in range(count))
    return [UUID(int=at << 80 | 7 << 76 | bits >> 62 << 64 | 2 << 62 | bits & (1 << 62) - 1) for bits in random]


def new_id() -> UUID:
    return new_ids(1)[0]
