"""The data directory is the owner's alone: sessions, password hashes, the secret key, uploads."""

import os
import stat
from contextlib import suppress
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def from_now_on() -> None:
    """For every file and folder that this process makes."""
    os.umask(OTHERS)


def close(*paths: Path) -> None:
    """Removes everybody else's permissions, where this process may. Files that vanish meanwhile don't matter."""
    for path in paths:
        with suppress(FileNotFoundError, PermissionError):
            mode = stat.S_IMODE(path.lstat().st_mode)
            if mode & OTHERS and not path.is_symlink():
                path.chmod(mode & ~OTHERS)


def close_all(folder: Path) -> None:
    """For an existing installation, with everything in it."""
    close(folder, *folder.rglob("*"))
