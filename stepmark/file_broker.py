"""Kombu's broker of files, made safe for several workers: files are always whole, and one worker gets a message.

Kombu itself writes under the final name, where half a file may be read; and takes a message by moving it to the
system's folder for temporary files, which takes two steps on another file system.
"""

from pathlib import Path
from queue import Empty
from time import sleep, time_ns
from typing import Any
from uuid import uuid4

from kombu.transport import filesystem
from kombu.utils.json import dumps, loads


class Channel(filesystem.Channel):
    def _put(self, queue: str, *message: Any, **_: Any) -> None:
        _write_whole(message[0], Path(self.data_folder_out, f"{time_ns()}_{uuid4()}.{queue}.msg"))

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str | None, queue: str) -> None:
        known = self.get_table(exchange)
        bound = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        if bound not in known:
            _write_whole([bound, *known], Path(self.control_folder, f"{exchange}.exchange"))

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for name in sorted(file.name for file in Path(self.data_folder_in).iterdir()):
            if name.partition(".")[2] == f"{queue}.msg" and (found := self._take(name)):
                return loads(found)
        raise Empty

    def _take(self, name: str) -> str:
        """Takes the message out of the folder; empty if another worker was faster."""
        taken = Path(self.data_folder_in, f"{uuid4()}.taken")
        try:
            # A rename within one folder is a single step: of two workers, the second finds no file of this name.
            Path(self.data_folder_in, name).rename(taken)
        except FileNotFoundError:
            return ""
        message = taken.read_text()
        taken.unlink()
        return message


def _write_whole(content: Any, place: Path) -> None:
    part = place.with_name(f"{uuid4()}.part")
    part.write_text(dumps(content))
    part.replace(place)


class Transport(filesystem.Transport):
    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """Looks for a message once, and waits after a look in vain. Kombu's own would look for the whole timeout, two
        seconds, in which its worker heeds no signal.
        """
        try:
            super().drain_events(connection, timeout=0)
        except TimeoutError:
            sleep(self.polling_interval or 0)
            raise
