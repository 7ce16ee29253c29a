"""The API's schema: every request body has an example that fits."""

import json

import jsonschema
import pytest
from django.conf import settings

from stepmark.schema.examples import EXAMPLES

SCHEMA = json.loads(settings.OPENAPI.read_text())
BODIES = [
    pytest.param(content, id=act["operationId"])
    for acts in SCHEMA["paths"].values()
    for act in acts.values()
    for content in act.get("requestBody", {}).get("content", {}).values()
]


@pytest.mark.parametrize("content", BODIES)
def test_every_body_has_an_example_that_fits(content):
    (example, *more) = [example["value"] for example in content["examples"].values()]
    schema = content["schema"] | {"components": SCHEMA["components"]}
    for value in (example, *more):
        jsonschema.validate(value, schema)
        assert value.keys() <= properties(content["schema"]).keys()


def properties(schema):
    return SCHEMA["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]["properties"]


def test_every_example_is_of_an_existing_body():
    assert EXAMPLES.keys() <= {param.id for param in BODIES}
