"""One command per claim. What transformers says while it loads is kept out of all of them and of what they start."""

import os

os.environ |= {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
