"""/api/crashes/: logs crashes of the page, one line each, up to a limit."""

import json
import logging

import pytest

CRASH = {"message": "x is undefined", "stack": "at y\nat z", "path": "/label/7", "version": "index-1.js"}


@pytest.fixture
def report(client, caplog):
    """Sends a report. Returns the log's messages."""

    def report(**changes):
        caplog.clear()
        with caplog.at_level(logging.ERROR, "labeling.api.crashes"):
            answer = client.post("/api/crashes/", CRASH | changes, content_type="application/json")
        return answer, [record.getMessage() for record in caplog.records if record.name == "labeling.api.crashes"]

    return report


def test_it_writes_one_line_to_the_log(db, report):
    answer, (line,) = report()
    assert answer.status_code == 204
    assert json.loads(line.removeprefix("A page broke: ")) == CRASH
    assert "\n" not in line


@pytest.mark.parametrize(("field", "length"), [("message", 0), ("message", 501), ("stack", 4001), ("path", 301)])
def test_empty_and_overlong_reports_are_refused(db, report, field, length):
    answer, lines = report(**{field: "x" * length})
    assert (answer.status_code, lines) == (400, [])


def test_reports_are_throttled_after_thirty(db, report):
    statuses = [report()[0].status_code for _ in range(31)]
    assert statuses == [204] * 30 + [429]
