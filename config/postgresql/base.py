"""Django's PostgreSQL backend, which checks a kept connection only if there is reason to."""

from select import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def is_usable(self) -> bool:
        """A server that hung up has written so into the socket: nothing to read means nothing to check."""
        if self.connection is None:
            return False
        has_news, _, _ = select([self.connection.fileno()], [], [], 0)
        return not has_news or bool(super().is_usable())
