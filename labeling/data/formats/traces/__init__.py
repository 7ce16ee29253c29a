"""One module per format of traces: what agents said, called and saw, read as turns of typed parts.

`parse` takes one decoded record to ParsedSolutions whose `turns` are the traces', the record's own first and its
subagents' after it; it raises FormatError, which names the field, and counts in its `notes` what it does not keep.
`unread` yields the fields that are not read, with their values. Messages count from 0 in a part's `at`.
"""

from collections.abc import Callable, Iterator

from labeling.data.formats.fields import Record
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedSolution
from labeling.data.formats.traces import atif, inspect_logs, messages, multi_agent, sessions, swe_agent
from labeling.data.formats.traces.spans import opentelemetry

READERS: dict[str, Callable[[Record, Notes], list[ParsedSolution]]] = {
    "messages": messages.parse,
    "atif": atif.parse,
    "sessions": sessions.parse,
    "inspect": inspect_logs.parse,
    "swe_agent": swe_agent.parse,
    "multi_agent": multi_agent.parse,
    "opentelemetry": opentelemetry.parse,
}
UNREAD: dict[str, Callable[[Record], Iterator[tuple[str, object]]]] = {
    "messages": messages.unread,
    "atif": atif.unread,
    "sessions": sessions.unread,
    "inspect": inspect_logs.unread,
    "swe_agent": swe_agent.unread,
    "multi_agent": multi_agent.unread,
    "opentelemetry": opentelemetry.unread,
}
