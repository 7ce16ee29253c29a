"""Somebody who signs in with a password."""

from typing import Any

import pytest

PASSWORD = "correct horse"


@pytest.fixture
def person(annotator: Any) -> Any:
    annotator.set_password(PASSWORD)
    annotator.save()
    return annotator
