"""The settings of products under test: a password costs nothing to check, as each person of each test signs in.

With `LOADS_TORCH_FIRST` in the environment, workers are forked with torch loaded: tests that kill them would spend most
of their time on loading it. Without it: the products of the site's pages, of the first campaign, and the installed one.
"""

import os
import sys
from importlib import import_module

from labeling.data.paused_gc import kept_for_good
from stepmark.settings import *  # noqa: F403  all but what follows

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if "LOADS_TORCH_FIRST" in os.environ and sys.argv[1:2] == ["run"] and "--no-worker" not in sys.argv:
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # as prm_training.worker.tasks does
    with kept_for_good():
        import_module("prm_training.prm.__main__")
