"""The Celery app. Tasks are listed by name in settings, so that the web process never imports them."""

import os

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("stepmark")
app.config_from_object(settings.CELERY)
