"""Benchmarks, one command per claim.

Silences transformers' messages, here and in child processes.
"""

import os

os.environ |= {"TRANSFORMERS_VERBOSITY": "error", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
