"""The row counts that PostgreSQL plans queries by."""

from django.db import connection
from django.db.models import Model


def count_rows(*models: type[Model]) -> None:
    """Has PostgreSQL count the rows of these tables now, after a bulk insert.

    By itself it does so within a minute. Until then it plans for the few rows that there were before, and a join of
    two large tables may take many minutes.
    """
    if connection.vendor == "postgresql":
        tables = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in models)
        with connection.cursor() as cursor:
            cursor.execute(f"ANALYZE {tables}")
