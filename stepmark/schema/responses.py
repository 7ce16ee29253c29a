"""Responses in the API's schema: what is always there is required, so that a client need not ask whether it is."""

import json
from dataclasses import is_dataclass
from typing import Any

import msgspec
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, force_instance, get_doc
from rest_framework.serializers import ModelSerializer


class Schema(AutoSchema):
    def get_description(self) -> str:  # type: ignore[override]  # without its former arguments
        """The act's description; the view's if the act comes from the framework's mixins."""
        act = getattr(self.view, getattr(self.view, "action", ""), None)
        if act is not None and act.__module__.startswith("rest_framework"):
            return str(get_doc(type(self.view)))
        return super().get_description()

    def _map_basic_serializer(self, serializer: Any, direction: str) -> Any:
        """Requires all columns in a row's response. Other serializers name optional fields by `required=False`."""
        schema = super()._map_basic_serializer(serializer, direction)  # type: ignore[no-untyped-call]
        if direction == "response" and isinstance(force_instance(serializer), ModelSerializer):
            schema["required"] = sorted(schema["properties"])
        return schema


class Described(OpenApiSerializerExtension):
    """Messages (msgspec's structs) and dataclasses, which msgspec describes."""

    target_class = msgspec.Struct

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return isinstance(target, type) and (is_dataclass(target) or issubclass(target, msgspec.Struct))

    def get_name(self, auto_schema: AutoSchema, direction: str) -> str:
        return str(self.target.__name__).removesuffix("Message")

    def get_identity(self, auto_schema: AutoSchema, direction: str) -> str:
        return str(self.target.__name__)

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> Any:
        """Returns the schema. Nested classes become components, one for requests and one for responses."""
        suffix = "Request" if direction == "request" else ""
        _, found = msgspec.json.schema_components([self.target], ref_template="#/components/schemas/{name}<>")
        written = json.dumps(found).replace("Message<>", "<>").replace("<>", suffix)
        parts = json.loads(written)
        words = {f"#/components/schemas/{name}{suffix}": part["enum"] for name, part in parts.items() if "enum" in part}
        structs = msgspec.Struct.__subclasses__()
        shortened = {each.__name__ for each in structs if each.__struct_config__.omit_defaults}
        for name, schema in parts.items():
            if "enum" in schema:
                continue
            del schema["title"]
            if direction == "response" and name not in shortened:
                schema["required"] = sorted(schema["properties"])
            for column in schema["properties"].values():
                if column.get("$ref") in words:
                    column["enum"] = words[column.pop("$ref")]
                if "enum" in column:  # one level deeper, where drf-spectacular looks for no enums to name
                    column["anyOf"] = [{"enum": column.pop("enum")}]
            if name == self.target.__name__:
                own = schema
            else:
                shown = ResolvedComponent(name.removesuffix("Message") + suffix, "schemas", schema, name)
                auto_schema.registry.register_on_missing(shown)
        return own
