"""Images of traces: kept once by their SHA-256, whatever number of traces shows them."""

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
    """Images that were there already went with the import that had brought them."""


class Keeper:
    """Stores the images of a file as they are read, and then who brought them."""

    def __init__(self) -> None:
        self.hashes = set[str]()

    def keep(self, digest: str, content: bytes) -> None:
        """Stores the image with this SHA-256 unless it is there; called from the thread that reads, it leaves the
        database alone.
        """
        if digest not in self.hashes and not default_storage.exists(_place_of(digest)):
            default_storage.save(_place_of(digest), ContentFile(content))
        self.hashes.add(digest)

    def register(self, origin: UUID | None) -> None:
        """Notes that this import, or none, brought the images: they stay until the last that did is undone."""
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
    """Returns the image that the ticket is for; None if it isn't kept, or the ticket is not ours."""
    try:
        digest = Image.TICKETS.unsign(ticket)
    except signing.BadSignature:
        return None
    image = Image.objects.filter(sha256=digest).first()
    return image.file if image and default_storage.exists(str(image.file)) else None


def contents(digests: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yields the images with these SHA-256 that are kept."""
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
    """Deletes the file. If another import has registered it meanwhile, it comes back: that import finds it either there
    or gone.
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
