"""The files of an installation, by their names in an archive: `models/…` and, as uploads and snapshots, `files/…`.

These names are the same for a folder and a bucket, so that a backup of one can be restored into the other.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import IO, Any

from django.apps import apps
from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage, Storage, default_storage
from django.db import models

from labeling.jobs.files import MODELS
from labeling.models import Snapshot, Status
from prm_training.models import Import, RewardModel


def present() -> Iterator[str]:
    """Yields all files except those that are still being written."""
    models_storage, root = _storage_of(f"{MODELS}/")
    yield from (f"{MODELS}/{name}" for name in _walk(models_storage, root) if not _is_partial(name))
    for folder in _upload_folders():
        yield from (f"files/{folder}/{name}" for name in _walk(default_storage, folder))


def needed(database: str) -> set[str]:
    """The files that rows of the database need; of a model, the one that every model has."""
    snapshots = Snapshot.objects.using(database).values_list("file", flat=True)
    unfinished = Import.objects.using(database).exclude(status=Status.DONE).exclude(stage="done")
    trained = RewardModel.objects.using(database).values_list("directory", flat=True)
    uploads = unfinished.values_list("file", flat=True)
    return {f"files/{name}" for name in [*snapshots, *uploads]} | {f"{MODELS}/{name}/config.json" for name in trained}


def opened(name: str) -> File[bytes]:
    """Opens the file. Raises OSError if it has vanished."""
    storage, place = _storage_of(name)
    return storage.open(place)


def save(name: str, content: IO[bytes]) -> None:
    storage, place = _storage_of(name)
    storage.save(place, File(content))


def delete(name: str) -> None:
    storage, place = _storage_of(name)
    storage.delete(place)


def _storage_of(name: str) -> tuple[Storage, str]:
    folder, _, rest = name.partition("/")
    if folder == "files":
        return default_storage, rest
    if isinstance(default_storage, FileSystemStorage):
        return FileSystemStorage(settings.MODELS_ROOT), rest
    return default_storage, name.rstrip("/")


def _upload_folders() -> list[str]:
    fields: Iterator[Any] = (field for model in apps.get_models() for field in model._meta.local_fields)
    return sorted({str(field.upload_to) for field in fields if isinstance(field, models.FileField)})


def _walk(storage: Storage, folder: str) -> Iterator[str]:
    """The files below the folder, by their names in it. A folder may vanish meanwhile."""
    with suppress(FileNotFoundError, NotADirectoryError):
        folders, names = storage.listdir(folder)
        yield from sorted(names)
        for inner in sorted(folders):
            yield from (f"{inner}/{name}" for name in _walk(storage, f"{folder}/{inner}" if folder else inner))


def _is_partial(name: str) -> bool:
    """Returns whether prm_training/prm/saving/ or labeling/jobs/files.py is still writing the file."""
    return any(part.endswith((".partial", ".old")) or part.startswith("tmp") for part in name.split("/"))
