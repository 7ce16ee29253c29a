"""Zstandard, which Python's own library reads from version 3.14 on."""

import sys

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdError, ZstdFile
else:
    from backports.zstd import ZstdError, ZstdFile

__all__ = ["ZstdError", "ZstdFile"]
