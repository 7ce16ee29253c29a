"""Django's PostgreSQL backend, which checks a kept connection only if there is reason to."""

from select import POLLIN, poll

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    def is_usable(self) -> bool:
        """Asks the server only if the socket has something to read, as it has once the server hung up."""
        if self.connection is None or self.connection.closed:  # a lost one has no socket to look at
            return False
        sockets = poll()  # takes any number of open files, unlike `select`
        sockets.register(self.connection.fileno(), POLLIN)
        return not sockets.poll(0) or bool(super().is_usable())
