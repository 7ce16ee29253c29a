"""Django's PostgreSQL backend, without a query to check a kept connection."""
