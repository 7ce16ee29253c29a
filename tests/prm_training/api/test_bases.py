"""The bases that a training or an autopilot may name."""

import pytest
from rest_framework.serializers import ValidationError

from prm_training.api.bases import validate_model_directory


@pytest.mark.parametrize(
    ("allowed", "named", "may"),
    [
        (["*"], "lab/tiny", True),
        (["lab/*", "other/one@v2"], "lab/tiny", True),
        (["lab/*", "other/one@v2"], "lab/tiny@v1", True),
        (["lab/*", "other/one@v2"], "other/one@v2", True),
        (["lab/*", "other/one@v2"], "other/one", False),
        (["lab/*", "other/one@v2"], "other/one@v3", False),
        (["lab/*", "other/one@v2"], "LAB/tiny", False),
        (["*@*"], "lab/tiny", False),
        ([], "lab/tiny", False),
        ([], "", True),  # the built-in base
    ],
)
def test_hub_models_must_be_in_the_setting(settings, allowed, named, may):
    settings.HUB_MODELS = allowed
    if may:
        validate_model_directory(named)
    else:
        with pytest.raises(ValidationError, match=f"“{named}” is not among the hub's models that may be used"):
            validate_model_directory(named)


def test_a_directory_needs_no_permission(settings, tmp_path):
    settings.HUB_MODELS = []
    (tmp_path / "config.json").write_text("{}")
    validate_model_directory(str(tmp_path))
    with pytest.raises(ValidationError, match=r"no config\.json"):
        validate_model_directory(str(tmp_path / "other"))
