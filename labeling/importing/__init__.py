"""Acts that bring files in: streamed, each record whole or not at all, existing rows never touched."""

from labeling.importing.pool import FORMATS, import_solutions
from labeling.importing.prm800k import import_prm800k
from labeling.importing.processbench import import_processbench
from labeling.importing.reading import ImportReport, NothingImported

__all__ = ["FORMATS", "ImportReport", "NothingImported", "import_prm800k", "import_processbench", "import_solutions"]
