"""Settings, addresses, Celery, WSGI, the supervisor that runs everything, the command line, and the Python client."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stepmark.client import *  # noqa: F403  its __all__


def __getattr__(name: str) -> Any:
    """Imports the client only when one of its names is used, as the server imports this package, too. They begin with
    a capital, unlike modules.
    """
    if name[0].isupper() and name in (client := import_module("stepmark.client")).__all__:
        return getattr(client, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *import_module("stepmark.client").__all__])
