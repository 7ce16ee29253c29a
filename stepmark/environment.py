"""Reads environment variables, and says in a sentence what is wrong with one."""

from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured


class Environment(environ.Env):  # type: ignore[misc]
    """Says in a sentence which variable can't be read; a traceback helps nobody who sets one."""

    def get_value(self, var: str, *arguments: Any, **options: Any) -> Any:
        try:
            return super().get_value(var, *arguments, **options)
        except ValueError as error:
            raise ImproperlyConfigured(f"{var} can't be read: {error}.") from error


def one_of(value: str, var: str, *choices: str) -> str:
    """Returns the variable's value. Raises ImproperlyConfigured if it is none of the choices."""
    if value not in choices:
        raise ImproperlyConfigured(f"{var} is “{value}”; it can be {' or '.join(choices)}.")
    return value
