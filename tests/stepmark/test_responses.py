"""stepmark.schema.responses: the schema requires the fields that a response always has."""

import json

from django.conf import settings

SCHEMAS = json.loads(settings.OPENAPI.read_text())["components"]["schemas"]


def test_a_row_has_all_its_columns():
    assert set(SCHEMAS["Phase"]["required"]) == set(SCHEMAS["Phase"]["properties"])
    assert set(SCHEMAS["TrainingRun"]["required"]) == set(SCHEMAS["TrainingRun"]["properties"])


def test_a_request_requires_what_has_no_default():
    assert SCHEMAS["PhaseSettingsRequest"]["required"] == ["name"]


def test_metrics_may_be_missing():
    assert "best_of_n" not in SCHEMAS["EvaluationMetrics"].get("required", [])
