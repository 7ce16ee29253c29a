import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from labeling.data.structs import complete_all

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "stepmark.settings")
application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018  loads all views: once, before gunicorn forks
complete_all()
