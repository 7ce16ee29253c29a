"""Blocks of content as others write them: their types, and what they hold.

OpenAI's and Anthropic's name their type. Gemini's and Bedrock's have it as the key of what they hold, as in
`{"functionCall": {"name", "args"}}`; Gemini's thoughts are texts with `thought`. OpenInference wraps blocks, and
OpenCode's calls have their results under `state`.
"""

from __future__ import annotations

from labeling.data.formats.traces.values import Object, mapping, string

KEYS = {
    **dict.fromkeys(("functionCall", "function_call", "toolUse"), "tool_use"),
    **dict.fromkeys(("functionResponse", "function_response", "toolResult", "codeExecutionResult"), "tool_result"),
    **dict.fromkeys(("inlineData", "inline_data"), "blob"),
    **dict.fromkeys(("fileData", "file_data", "document"), "file"),
    **{"image": "image", "executableCode": "code", "reasoningContent": "reasoning"},
}
WRAPPERS = ("message_content", "reasoningText")


def typed(block: Object) -> tuple[str, Object]:
    """The type of the block (empty if it has none), with words joined by `_`, and the object that holds its content."""
    for key in WRAPPERS:
        block = unwrapped(block, key)
    if kind := string(block, "type").replace("-", "_"):
        return kind, block | mapping(block.get("state"))
    key = next((key for key in KEYS if isinstance(block.get(key), dict)), "")
    if key:
        return KEYS[key], unwrapped(block[key], "reasoningText")
    return "" if "text" not in block else "thinking" if block.get("thought") is True else "text", block


def unwrapped(block: Object, key: str) -> Object:
    """The object under the key; the block itself if there is none."""
    return mapping(block.get(key)) or block
