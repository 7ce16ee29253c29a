"""The base of every error with a message for people."""


class DomainError(Exception):
    """A rule was broken. `code` is for programs, the message for people; `status` is the HTTP status. A subclass states
    the two in its first line: `class RoundClosed(DomainError, code="round_closed", status=409)`.
    """

    code = "invalid"
    status = 400

    def __init_subclass__(cls, *, code: str = "", status: int = 0) -> None:
        cls.code = code or cls.code
        cls.status = status or cls.status
