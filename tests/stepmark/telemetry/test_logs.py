"""stepmark.telemetry.logs: lines for people, and for programs."""

import json
import logging

import pytest

from stepmark.telemetry import logs

pytestmark = pytest.mark.any_database


@pytest.fixture
def written(rf):
    """Returns a formatter's output for an error within a request."""

    def act(formatter):
        try:
            raise ValueError("/invite/SECRET\nand more")
        except ValueError as error:
            caught = (type(error), error, error.__traceback__)
        record = logging.LogRecord("stepmark", logging.ERROR, "x.py", 1, "At %s", ("/invite/SECRET",), caught)
        with logs.with_request_id(rf.get("/", headers={"x-request-id": "script-7.1"})):
            logs.WithRequestId().filter(record)
        return formatter.format(record)

    return act


def test_json_is_one_line_an_error_with_the_requests_id(written):
    (line,) = written(logs.JsonLines()).splitlines()
    told = json.loads(line)
    assert (told["level"], told["logger"], told["message"]) == ("ERROR", "stepmark", "At /invite/…")
    assert told["request_id"] == "script-7.1"
    assert told["traceback"].startswith("Traceback") and "and more" in told["traceback"]
    assert "SECRET" not in line


def test_lines_have_the_id_before_the_traceback(written):
    first, *more = written(logs.Lines("%(levelname)s %(message)s")).splitlines()
    assert first == "ERROR At /invite/… (id script-7.1)"
    assert more[0].startswith("Traceback")


def test_outside_of_requests_there_is_no_id(written):
    record = logging.LogRecord("stepmark", logging.INFO, "x.py", 1, "ready", (), None)
    logs.WithRequestId().filter(record)
    assert "request_id" not in json.loads(logs.JsonLines().format(record))
    assert logs.Lines("%(message)s").format(record) == "ready"
