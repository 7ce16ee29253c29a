"""The browsers that drive the product: those that the environment names, else those that are installed."""

import os
import shutil

# Without a window of its own, where there is such a build: opening a page costs a sixth.
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
FIREFOX = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox") or ""
