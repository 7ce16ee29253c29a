"""Any file of records, whatever holds them, as dicts with their line numbers.

JSON Lines, JSON documents (a list, a list under a key, objects one after another), CSV, Parquet; plain or compressed;
in UTF-8, UTF-16 or UTF-32. Streamed in constant memory.
"""

from labeling.data.formats.files.errors import LineError, Unreadable
from labeling.data.formats.files.records import Line, read_records

__all__ = ["Line", "LineError", "Unreadable", "read_records"]
