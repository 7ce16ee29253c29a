"""The Celery app. Tasks are listed by name in settings, so that the web process never imports them."""

import os
import warnings

from celery import Celery
from celery.exceptions import SecurityWarning
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "stepmark.settings")

TRANSPORT_ALIASES["files"] = "stepmark.file_broker:Transport"

# Root is warned of messages that are pickled; ours are JSON.
warnings.filterwarnings("ignore", category=SecurityWarning)

app = Celery("stepmark")
app.config_from_object(settings.CELERY)
