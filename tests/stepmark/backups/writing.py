"""Backups made by hand."""

from io import BytesIO
from pathlib import Path

from django.utils import timezone

from stepmark.backups import archive
from stepmark.backups.archive import Manifest, Writer

FILES = {"database.sqlite3": b"rows", "secret_key": b"key", "files/uploads/a.jsonl": b"{}" * 99}


def write(path: Path, files: dict[str, BytesIO | bytes], **columns: object) -> Path:
    """Writes a backup of these files; `columns` replace its manifest's."""
    with path.open("wb") as file:
        writer = Writer(file)
        for name, content in files.items():
            writer.add(name, BytesIO(content) if isinstance(content, bytes) else content)
        given = {"stepmark": "0.1.0", "engine": "sqlite", "made_at": timezone.now(), "migrations": [], "rows": {}}
        given |= {"format": archive.FORMAT, "has_files": True, "lost": [], "entries": list(writer.entries.values())}
        writer.add_manifest(Manifest(**given | columns))
        writer.close()
    return path
