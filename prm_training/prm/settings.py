"""What all settings are held to; a message names the field that is wrong."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin, get_type_hints

Precision = Literal["fp32", "bf16"]


def check(settings: Any, /, **least: float) -> None:
    """A dataclass whose literal fields hold one of their values and whose named ones are None or at least so much.
    Raises ValueError."""
    for name, kind in get_type_hints(type(settings)).items():
        if get_origin(kind) is Literal and getattr(settings, name) not in get_args(kind):
            raise ValueError(f"{name} is one of {', '.join(get_args(kind))}, not {getattr(settings, name)!r}")
    for name, low in least.items():
        value = getattr(settings, name)
        if value is not None and not value >= low:
            raise ValueError(f"{name} is at least {low}, not {value}")
