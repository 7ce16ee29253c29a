"""The worker process: its Celery tasks and its heartbeat."""
