"""One module per format of traces: what agents said, called and saw, read as turns of typed parts.

`parse` takes one decoded record to a ParsedSolution whose `turns` are the trace's; it raises FormatError, which names
the field, and counts in its `notes` what it does not keep. Messages count from 0 in a part's `at`.
"""

from collections.abc import Callable

from labeling.data.formats.fields import Record
from labeling.data.formats.notes import Notes
from labeling.data.formats.solutions import ParsedSolution
from labeling.data.formats.traces import messages

READERS: dict[str, Callable[[Record, Notes], ParsedSolution]] = {
    "messages": messages.parse,
}
