"""Settings, addresses, Celery, WSGI, the supervisor that runs everything, the command line, and the Python client."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stepmark.client import (
        ApiError,
        AsyncClient,
        BadRequest,
        Client,
        Conflict,
        ConnectionFailed,
        NotFound,
        PermissionDenied,
        RunFailed,
        ServerError,
        StepmarkError,
        TooManyRequests,
        Unauthorized,
    )

__all__ = [
    "ApiError",
    "AsyncClient",
    "BadRequest",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "NotFound",
    "PermissionDenied",
    "RunFailed",
    "ServerError",
    "StepmarkError",
    "TooManyRequests",
    "Unauthorized",
]


def __getattr__(name: str) -> Any:
    """Imports the client when it is first used: the server, too, imports this package."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("stepmark.client"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
