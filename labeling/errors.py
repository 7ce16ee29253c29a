"""The base of every error with a message for people; how a database says that something exists already."""

TAKEN = {"23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"}  # PostgreSQL's code, and SQLite's


class DomainError(Exception):
    """A rule was broken. `code` is for programs, the message for people; `status` is the HTTP status. A subclass states
    the two in its first line: `class RoundClosed(DomainError, code="round_closed", status=409)`.
    """

    code = "invalid"
    status = 400

    def __init_subclass__(cls, *, code: str = "", status: int = 0) -> None:
        cls.code = code or cls.code
        cls.status = status or cls.status


def is_taken(error: Exception) -> bool:
    """True if a unique constraint refused the row: the only integrity error that is not a bug."""
    return any(getattr(error.__cause__, name, "") in TAKEN for name in ("sqlstate", "sqlite_errorname"))
