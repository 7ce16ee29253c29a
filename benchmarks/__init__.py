"""Benchmarks, one command per claim.

Silences the messages of transformers in them and in the processes they start.
"""

import os

os.environ |= {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
