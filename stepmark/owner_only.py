"""The data directory is the owner's alone: sessions, password hashes, the secret key, uploads."""

import os
import stat
from contextlib import suppress
from pathlib import Path

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def from_now_on() -> None:
    """Makes every file and folder that this process creates readable by its owner only."""
    os.umask(OTHERS)


def close(*paths: Path) -> None:
    """Removes everybody else's permissions, where this process may. Files that vanish meanwhile don't matter."""
    for path in paths:
        with suppress(FileNotFoundError, PermissionError):
            mode = stat.S_IMODE(path.lstat().st_mode)
            if mode & OTHERS and not path.is_symlink():
                path.chmod(mode & ~OTHERS)


def close_all(folder: Path) -> None:
    """Makes an existing folder, with everything in it, readable by its owner only."""
    close(folder, *folder.rglob("*"))
