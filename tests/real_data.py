"""Where real labels are: the folder that STEPMARK_DATA names, or the one beside this checkout."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("STEPMARK_DATA", ROOT.parent / "shared" / "data"))
