"""Files that machines share: uploads, snapshots and models, in a folder or, with S3_BUCKET, in a bucket.

Readers and torch need paths. In a folder that is the file's own; from a bucket it is copied to this machine's disk.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from tempfile import NamedTemporaryFile, TemporaryDirectory
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage, default_storage
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.db.models.fields.files import FieldFile

MODELS = PurePosixPath("models")  # their place in a bucket


@contextmanager
def on_disk(file: FieldFile) -> Iterator[Path]:
    """Yields the file's path, which may be valid inside the block only."""
    if isinstance(file.storage, FileSystemStorage):
        yield Path(file.path)
        return
    with TemporaryDirectory(prefix="stepmark-") as folder:
        path = Path(folder) / PurePosixPath(file.name or "").name
        _copy(file.name or "", path)
        yield path


@contextmanager
def uploaded(upload: UploadedFile[Any]) -> Iterator[Path]:
    """Yields a path of the uploaded file, which may be valid inside the block only."""
    if isinstance(upload, TemporaryUploadedFile):
        yield Path(upload.temporary_file_path())
        return
    with NamedTemporaryFile(prefix="stepmark-") as copy:
        copy.writelines(upload.chunks())
        copy.flush()
        upload.seek(0)
        yield Path(copy.name)


def share_model(directory: str) -> None:
    """Puts the model at `directory`, relative to MODELS_ROOT, where every machine finds it."""
    if isinstance(default_storage, FileSystemStorage):
        return
    for path in sorted((settings.MODELS_ROOT / directory).iterdir()):
        name = str(MODELS / directory / path.name)
        default_storage.delete(name)  # of an attempt that died
        with path.open("rb") as file:
            default_storage.save(name, File(file))


def model_folder(directory: str) -> Path:
    """Returns the model's folder on this machine, fetched if another one shared it; missing if the model is lost."""
    folder: Path = settings.MODELS_ROOT / directory
    shared = str(MODELS / directory)
    is_local = isinstance(default_storage, FileSystemStorage)
    if is_local or folder.is_dir() or not default_storage.exists(f"{shared}/config.json"):
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder.parent) as partial:
        for name in default_storage.listdir(shared)[1]:
            _copy(f"{shared}/{name}", Path(partial) / name)
        with suppress(OSError):  # another process was faster
            Path(partial).rename(folder)
    return folder


def _copy(name: str, path: Path) -> None:
    with default_storage.open(name) as source, path.open("wb") as copy:
        shutil.copyfileobj(source, copy)
