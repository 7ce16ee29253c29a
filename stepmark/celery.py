"""The Celery app. Tasks are listed by name in settings, so that the web process never imports them."""

import os

from celery import Celery
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "stepmark.settings")

TRANSPORT_ALIASES["files"] = "stepmark.file_broker:Transport"

app = Celery("stepmark")
app.config_from_object(settings.CELERY)
