"""Rows by table name, for querysets that look up tables of later modules."""

from typing import Any

from django.apps import apps


def rows_of(name: str) -> Any:
    return apps.get_model("labeling", name).objects
