"""Images of traces: each is stored once, by its SHA-256, however many traces show it."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db.models import Exists, OuterRef
from django.db.models.fields.files import FieldFile

from labeling.errors import DomainError
from labeling.models import Image


class ImagesGone(DomainError, code="images_gone"):
    """Images of the import were deleted meanwhile: another import that had them was undone."""


class Keeper:
    """Stores a file's images as they are read, then registers their import."""

    def __init__(self) -> None:
        self.hashes = set[str]()

    def keep(self, digest: str, content: bytes) -> None:
        """Stores the image with this SHA-256 unless it exists. Runs in the reading thread, so without the database."""
        if digest not in self.hashes and not default_storage.exists(_place_of(digest)):
            default_storage.save(_place_of(digest), ContentFile(content))
        self.hashes.add(digest)

    def register(self, origin: UUID | None) -> None:
        """Registers the images for this import, or for none: each stays until the last import with it is undone."""
        if not self.hashes:
            return
        known = set(Image.objects.filter(origin=origin).values_list("sha256", flat=True))
        new = sorted(self.hashes - known)
        Image.objects.bulk_create(Image(sha256=digest, file=_place_of(digest), origin=origin) for digest in new)

    def check(self) -> None:
        """Raises ImagesGone unless all registered images are there."""
        if not all(default_storage.exists(_place_of(digest)) for digest in self.hashes):
            raise ImagesGone(
                "An import with the same images was undone meanwhile, and they went with it. Trying again stores them."
            )


def found(ticket: str) -> FieldFile | None:
    """Returns the image that the ticket is for; None if it isn't stored, or the signature is invalid."""
    try:
        digest = Image.TICKETS.unsign(ticket)
    except signing.BadSignature:
        return None
    image = Image.objects.filter(sha256=digest).first()
    return image.file if image and default_storage.exists(str(image.file)) else None


def contents(digests: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yields the SHA-256 and the bytes of each of these images that is stored."""
    for digest in digests:
        if default_storage.exists(_place_of(digest)):
            with default_storage.open(_place_of(digest)) as file:
                yield digest, file.read()


def forget(origin: UUID) -> None:
    """Deletes the images that this import alone brought."""
    own = Image.objects.filter(origin=origin)
    others = Image.objects.filter(sha256=OuterRef("sha256")).exclude(pk=OuterRef("pk"))
    # The rows go last: after an interruption they say what is left to delete.
    for image in own.filter(~Exists(others)):
        _delete(image)
    own.delete()


def _delete(image: Image) -> None:
    """Deletes the image's file, and stores it again if another import registered the image meanwhile: that import's
    `check` finds it either there or gone.
    """
    name = str(image.file)
    if not default_storage.exists(name):
        return
    with default_storage.open(name) as file:
        content = file.read()
    default_storage.delete(name)
    if Image.objects.filter(sha256=image.sha256).exclude(pk=image.pk).exists():
        default_storage.save(name, ContentFile(content))


def _place_of(digest: str) -> str:
    return f"{Image.FOLDER}/{digest[:2]}/{digest}"
