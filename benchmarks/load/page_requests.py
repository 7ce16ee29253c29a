"""The labelling page's requests, in order, for load benchmarks to send.

Recorded in Chromium by `tests/browser/test_requests.py`, which fails where the page asks for anything else. Each is a
method and a path with names for ids. Guidelines are kept by the browser for good, so only a person's first load of a
version asks for them. A task that is done within 15 seconds costs no draft, others one every 15 seconds: `DRAFT`.
"""

FIRST_LOAD = (
    "GET /api/session/",
    "POST /api/phases/{phase}/claim/",
    "GET /api/phases/{phase}/guidelines/{version}/",
    "GET /api/phases/{phase}/progress/",
    "POST /api/phases/{phase}/claim/",
    "POST /api/phases/{phase}/claim/",
)
EACH_TASK = ("POST /api/assignments/{assignment}/submit/",)
DRAFT = "PUT /api/assignments/{assignment}/draft/"
