"""The content of messages as parts: a text, or a list of typed blocks, as OpenAI, Anthropic, Inspect and OpenTelemetry
have them. For blocks without a type, see `blocks`.

    text, input_text, output_text, refusal    text; a message, unless by the model
    thinking, reasoning                       reasoning
    tool_use, tool_call, web_search_call      tool call
    tool_result, function_call_output         observation, always context
    code                                      code
    image, image_url, input_image, blob       image: by its SHA-256, or its address
    file, document, audio, video              file: its name or address

Images are kept if their bytes are in the file and a browser can draw them. The bytes of files and of other images are
not, nor are blocks of other types; all of these are counted.
"""

from __future__ import annotations

import hashlib
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import structs

from labeling.data.formats.notes import Notes
from labeling.data.formats.traces.dialects.blocks import typed, unwrapped
from labeling.data.formats.traces.values import Object, mapping, string
from labeling.rules.traces import images
from labeling.rules.traces.parts import Part
from labeling.rules.words import PartKind

TEXTS = {"text", "input_text", "output_text", "refusal", "summary_text", "reasoning_text"}
REASONING = {"thinking", "reasoning"}
CALLS = {"tool_use", "server_tool_use", "mcp_tool_use", "toolCall", "tool"}  # and OpenAI's, which end in “_call”
RESULTS = {"tool_call_response", "toolResult"}  # and those that end in one of
RESULT_ENDS = ("_call_output", "tool_result")
ARGUMENTS = ("arguments", "input", "args", "action", "operation", "code", "queries")
IDS = ("call_id", "tool_call_id", "tool_use_id", "toolCallId", "toolUseId", "callID", "id")
GIVEN = ("result", "output", "outputs", "results")  # of a tool that its provider runs
IMAGES = {"image", "image_url", "input_image"}
FILES = {"file", "document", "input_file", "input_audio", "audio", "video", "blob", "uri", "file_data", "data"}
HIDDEN = {"redacted_thinking", "encrypted_content"}
DATA_ADDRESS = "data:"
IMAGES_LEFT = "images that are too large or no PNG, JPEG, GIF or WebP, of which only the hash is kept"
ADDRESSES_LEFT = "images elsewhere, of which only the address is kept"
FILES_LEFT = "files, of which only the name is kept"


@dataclass
class Contents:
    """Reads the contents of one trace's messages. `names`: the tools' names, by the id of the call."""

    notes: Notes
    names: dict[str, str] = field(default_factory=dict)

    def parts(self, content: Any, at: int, speaker: str | None = None) -> Iterator[Part]:
        """Yields the parts of a message: the model's own, unless a `speaker` said it."""
        for block in content if isinstance(content, list) else [content]:
            if isinstance(block, str):
                if block:
                    yield self._text(block, at, speaker)
            elif isinstance(block, dict):
                yield from self._block(block, at, speaker)

    def call(self, called: Object, at: int) -> Part:
        """A tool call, whose name and arguments may stand under `function`."""
        called = unwrapped(called, "tool_call")
        function, kind = called.get("function"), string(called, "type")
        given = mapping(function) or called
        call = string(called, *IDS)
        name = string(given, "name", "function_name", "tool_name", "toolName", "tool") or (
            function if isinstance(function, str) else ""
        )
        if not name and is_call(kind) and kind not in CALLS:
            name = kind.removesuffix("_call")
        arguments, text = _arguments(next((given[key] for key in ARGUMENTS if key in given), None))
        self.names[call] = name
        return Part(kind=PartKind.TOOL_CALL, name=name, arguments=arguments, text=text, call=call, at=at)

    def result(
        self, content: Any, at: int, *, call: str = "", name: str = "", is_error: bool = False
    ) -> Iterator[Part]:
        """Yields the result of a tool call: one observation of its texts, then its images and files."""
        others, texts = list[Part](), list[str]()
        for part in self.parts(_as_content(content), at, speaker=""):
            if part.kind is PartKind.MESSAGE:
                texts.append(part.text)
            else:
                others.append(part)
        name = self.names.get(call) or name
        text, kind = "\n\n".join(texts), PartKind.OBSERVATION
        yield Part(kind=kind, text=text, is_context=True, name=name, call=call, is_error=is_error, at=at)
        yield from others

    def _block(self, block: Object, at: int, speaker: str | None) -> Iterator[Part]:
        kind, block = typed(block)
        if kind in TEXTS:
            if text := string(block, "text", "content", "refusal"):
                yield self._text(text, at, speaker)
        elif kind in REASONING:
            if text := _thought(block):
                yield Part(kind=PartKind.REASONING, text=text, at=at, is_context=speaker is not None)
        elif is_call(kind):
            part = self.call(block, at)
            yield part if speaker is None else structs.replace(part, is_context=True)
            if given := next((block[key] for key in GIVEN if block.get(key)), None):
                yield from self.result(given, at, call=part.call, is_error=bool(block.get("error")))
        elif is_result(kind):
            content = next((block[key] for key in ("content", "response", "output", "result") if key in block), None)
            call, name = string(block, *IDS), string(block, "toolName", "name")
            is_error = block.get("is_error") is True or block.get("status") == "error"
            yield from self.result(content, at, call=call, name=name, is_error=is_error)
        elif kind == "code":
            text, language = string(block, "code"), string(block, "language").lower()
            yield Part(kind=PartKind.CODE, text=text, language=language, at=at, is_context=speaker is not None)
        elif kind in IMAGES | FILES:
            yield self._attachment(block, at, is_image=_is_image(kind, block), is_context=speaker is not None)
        else:
            what = "reasoning that its provider hides" if kind in HIDDEN else f"content of type “{kind[:40]}”"
            self.notes.add(f"{what}, left out")

    def _text(self, text: str, at: int, speaker: str | None) -> Part:
        if speaker is None:
            return Part(kind=PartKind.TEXT, text=text, at=at)
        return Part(kind=PartKind.MESSAGE, name=speaker, text=text, is_context=True, at=at)

    def _attachment(self, block: Mapping[str, Any], at: int, *, is_image: bool, is_context: bool) -> Part:
        data, name = _data_and_name(block)
        if not is_image:
            self.notes.add(FILES_LEFT)
            return Part(kind=PartKind.FILE, name=name, is_context=is_context, at=at)
        return Part(kind=PartKind.IMAGE, image=self._kept(data), name=name, is_context=is_context, at=at)

    def _kept(self, data: str) -> str:
        """Keeps the image if possible. Returns the SHA-256 of its bytes; empty if the file doesn't have them."""
        if not data:
            self.notes.add(ADDRESSES_LEFT)
            return ""
        content = _bytes_of(data)
        digest = hashlib.sha256(content).hexdigest()
        if images.is_kept(content):
            self.notes.keep_image(digest, content)
        else:
            self.notes.add(IMAGES_LEFT)
        return digest


def is_call(kind: str) -> bool:
    """Returns whether blocks of this type call a tool."""
    return kind in CALLS or kind.endswith(("_call", "-call"))


def is_result(kind: str) -> bool:
    """Returns whether blocks of this type are results of tools."""
    return kind in RESULTS or kind.replace("-", "_").endswith(RESULT_ENDS)


def _thought(block: Mapping[str, Any]) -> str:
    """The text of a block of reasoning; for OpenAI's, its summary."""
    if text := string(block, "thinking", "reasoning", "text", "content"):
        return text
    lines = [each for key in ("content", "summary") if isinstance(block.get(key), list) for each in block[key]]
    texts = [each if isinstance(each, str) else string(each, "text") for each in lines if isinstance(each, str | dict)]
    return "\n\n".join(texts) or string(block, "summary")


def _as_content(value: Any) -> Any:
    """A tool's result as content: a text or typed blocks as they are, other values as JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, dict) and {"type", "value"} <= value.keys():  # the AI SDK's
        return _as_content(value["value"])
    blocks = value if isinstance(value, list) else [value]
    are_content = all(isinstance(each, str) or (isinstance(each, dict) and "type" in each) for each in blocks)
    return blocks if are_content and blocks else msgspec.json.encode(value).decode()


def _arguments(given: Any) -> tuple[dict[str, Any] | None, str]:
    """The arguments as an object; if they are none, None and their text."""
    if isinstance(given, dict):
        return given, ""
    if given is None or given == "":
        return {}, ""
    try:
        return msgspec.json.decode(given if isinstance(given, str) else "", type=dict[str, Any]), ""
    except msgspec.DecodeError:
        return None, given if isinstance(given, str) else msgspec.json.encode(given).decode()


def _is_image(kind: str, block: Mapping[str, Any]) -> bool:
    return kind in IMAGES or block.get("modality") == "image"


def _data_and_name(block: Mapping[str, Any]) -> tuple[str, str]:
    """The data (base64, or an address with the data in it) of an image or a file, and its name or its address."""
    inner = next((block[key] for key in ("source", "image_url", "image", "file", "input_audio") if key in block), block)
    if isinstance(inner, str):
        inner = {"url": inner}
    inner = mapping(inner)
    address = string(inner, "url", "path", "uri", "file_id", "file_uri", "document", "audio", "video")
    data = string(inner, "data", "file_data") or (string(block, "content") if block.get("type") == "blob" else "")
    name = string(inner, "filename", "title", "name")
    if data or address.startswith(DATA_ADDRESS):
        return data or address, name
    return "", name or address


def _bytes_of(data: str) -> bytes:
    """Decodes a base64 text. Returns the bytes of the text itself if it is none."""
    encoded = data.partition(",")[2] if data.startswith(DATA_ADDRESS) else data
    try:
        return b64decode("".join(encoded.split()), validate=True)
    except (NotBase64, ValueError):
        return data.encode()
