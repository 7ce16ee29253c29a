"""Reads environment variables, and says in a sentence what is wrong with one."""

import json
import re
import warnings
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

ON, OFF = environ.Env.BOOLEAN_TRUE_STRINGS, ("false", "off", "n", "no", "0", "")
BROKERS = ("redis", "rediss", "redis+socket", "sentinel")


def _switch(text: str) -> bool:
    word = text.strip().lower()
    if word not in (*ON, *OFF):
        raise ValueError(f"“{text}” is neither on (1) nor off (0)")
    return word in ON


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _object(text: str) -> dict[str, Any]:
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError("it must be an object of JSON, such as {}")
    return found


# By the type that the library's own methods cast to.
READERS: dict[Any, Callable[[str], Any]] = {bool: _switch, list: _names, json.loads: _object}


class Environment(environ.Env):  # type: ignore[misc]
    """Says in a sentence which variable can't be read; a traceback helps nobody who sets one."""

    def get_value(self, var: str, cast: Any = None, default: Any = None, parse_default: bool = False) -> Any:
        """Returns what the variable holds. A `$` in it, as in a password, is no reference to another one."""
        if (given := self.ENVIRON.get(var)) is None:
            return default
        try:
            return READERS.get(cast, cast or str)(given)
        except ValueError as error:
            raise ImproperlyConfigured(f"{var} can't be read: {error}.") from None

    def address(self, var: str, default: str, parse: Callable[[str], Any], form: str) -> Any:
        """Returns the parsed address. Raises ImproperlyConfigured, without quoting it: it may have a password."""
        try:
            with warnings.catch_warnings(action="error", category=UserWarning):
                return parse(self.str(var, default=default))
        except (ValueError, UserWarning, ImproperlyConfigured):
            coded = "in its password, signs other than letters and digits are written as %2F, %40 and so on"
            raise ImproperlyConfigured(f"{var} can't be read: it must be like {form}; {coded}.") from None


def redis_url(text: str) -> str:
    """Returns the address, which may be empty. Raises ValueError if it is not that of a Redis."""
    found = urlsplit(text)
    if text and (found.scheme not in BROKERS or found.port == 0):
        raise ValueError(found.scheme)
    return text


def one_of(value: str, var: str, *choices: str) -> str:
    """Returns the variable's value. Raises ImproperlyConfigured if it is none of the choices."""
    if value not in choices:
        raise ImproperlyConfigured(f"{var} is “{value}”; it can be {' or '.join(choices)}.")
    return value


def checked_rate(value: str, var: str) -> str:
    """Returns the variable's value. Raises ImproperlyConfigured unless it is a rate such as `120/min`."""
    if not re.fullmatch(r"\d+/(s|sec|second|m|min|minute|h|hour|d|day)", value):
        raise ImproperlyConfigured(f"{var} is “{value}”; it must be like 120/min, with s, min, hour or day.")
    return value
