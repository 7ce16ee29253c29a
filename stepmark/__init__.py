"""Settings, addresses, Celery, WSGI, the supervisor that runs everything, and the command line."""
