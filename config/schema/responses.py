"""Responses in the API's schema: what is always there is required, so that a client need not ask whether it is."""

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import force_instance, get_doc
from rest_framework.serializers import ModelSerializer


class Schema(AutoSchema):
    def get_description(self) -> str:  # type: ignore[override]  # without its former arguments
        """Of the act; where the framework's mixins bring it, of the view."""
        act = getattr(self.view, getattr(self.view, "action", ""), None)
        if act is not None and act.__module__.startswith("rest_framework"):
            return str(get_doc(type(self.view)))
        return super().get_description()

    def _map_basic_serializer(self, serializer: Any, direction: str) -> Any:
        """A row has all its columns. Other serializers say what may be missing by `required=False`."""
        schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        if direction == "response" and isinstance(force_instance(serializer), ModelSerializer):
            schema["required"] = sorted(schema["properties"])
        return schema
