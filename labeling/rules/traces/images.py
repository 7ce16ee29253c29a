"""Images of traces: only types that every browser draws, and that hold no code, are kept."""

MOST_BYTES = 10_000_000
_BEGINNINGS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


def media_type(content: bytes) -> str:
    """Returns the type that the image's first twelve bytes say; empty for types that are not kept, such as SVG."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for beginning, kind in _BEGINNINGS.items() if content.startswith(beginning)), "")


def file_name(digest: str, content: bytes) -> str:
    """The name of the image's file when it is passed on: its SHA-256 with the suffix of its type."""
    return f"{digest}.{media_type(content).removeprefix('image/')}"


def is_kept(content: bytes) -> bool:
    return bool(media_type(content)) and len(content) <= MOST_BYTES
