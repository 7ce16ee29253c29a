"""Imports: streamed, each record whole or not at all, existing rows never touched."""

from labeling.data.importing.pool import FORMATS, import_solutions
from labeling.data.importing.prm800k import import_prm800k
from labeling.data.importing.processbench import import_processbench
from labeling.data.importing.reading import ImportReport, NothingImported

__all__ = ["FORMATS", "ImportReport", "NothingImported", "import_prm800k", "import_processbench", "import_solutions"]
