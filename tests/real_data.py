"""The folder of real labels: STEPMARK_DATA, or the one beside this checkout."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("STEPMARK_DATA", ROOT.parent / "shared" / "data"))
