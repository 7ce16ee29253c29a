"""The base of every error that a person can be told about."""


class DomainError(Exception):
    """A rule was broken. `code` is for programs, the message for people; `status` is the HTTP status."""

    code = "invalid"
    status = 400
