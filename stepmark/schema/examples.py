"""Example bodies for every operation of the API that takes one and has no example of its own: a hook of
drf-spectacular.
"""

import json
from pathlib import Path
from typing import Any

EXAMPLES: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))


def add(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Adds the examples to the schema, as a post-processing hook."""
    for acts in result["paths"].values():
        for act in acts.values():
            for content in act.get("requestBody", {}).get("content", {}).values():
                if act["operationId"] in EXAMPLES:
                    content["examples"] = {"Example": {"value": EXAMPLES[act["operationId"]]}}
    return result
