"""Images of traces: those are kept that every browser draws and that hold no code."""

MOST_BYTES = 10_000_000
_BEGINNINGS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


def media_type(content: bytes) -> str:
    """Returns the type that the image's first twelve bytes say; empty for what is not kept, such as SVG."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for beginning, kind in _BEGINNINGS.items() if content.startswith(beginning)), "")


def file_name(digest: str, content: bytes) -> str:
    """The name of the image's file where it is passed on: its SHA-256, and what its type ends in."""
    return f"{digest}.{media_type(content).removeprefix('image/')}"


def is_kept(content: bytes) -> bool:
    return bool(media_type(content)) and len(content) <= MOST_BYTES
