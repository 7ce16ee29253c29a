"""Imports: streamed, each record whole or not at all, existing rows never touched."""

from functools import partial

from labeling.data.importing.gold import import_gold
from labeling.data.importing.labels import import_labels
from labeling.data.importing.pool import FORMATS, ProblemOptions, import_solutions
from labeling.data.importing.problems import import_problems
from labeling.data.importing.reading import ImportReport, NothingImported

import_prm800k = partial(import_labels, file_format="prm800k")
import_processbench = partial(import_gold, file_format="processbench")

__all__ = [
    "FORMATS",
    "ImportReport",
    "NothingImported",
    "ProblemOptions",
    "import_gold",
    "import_labels",
    "import_prm800k",
    "import_problems",
    "import_processbench",
    "import_solutions",
]
