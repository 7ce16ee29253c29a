"""Settings, addresses, Celery, WSGI, and the supervisor that runs everything."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
