"""The base of every error with a message for people."""


class DomainError(Exception):
    """A rule was broken. `code` is for programs, the message for people; `status` is the HTTP status."""

    code = "invalid"
    status = 400
