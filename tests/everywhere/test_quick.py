"""tests.quick: chooses the tests that a change needs."""

import pytest

from tests.quick import ALWAYS, needed


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("labeling/rules/ratings.py", ["tests/labeling/rules"]),
        ("annotate/api/messages.py", ["tests/annotate", "tests/doors"]),
        ("prm_training/api/files/imports.py", ["tests/doors", "tests/prm_training/api"]),
        ("frontend/src/app/staff/pages.ts", ["tests/everywhere/test_pages.py"]),
        ("prm_training/urls.py", ["tests/doors", "tests/prm_training"]),
        ("prm_training/prm/trees/data.py", ["tests/prm_training/prm/trees"]),
        ("tests/stepmark/test_demo.py", ["tests/stepmark/test_demo.py"]),
        ("tests/prm_training/prm/conftest.py", ["tests/prm_training/prm"]),
        ("tests/conftest.py", []),
        ("README.md", []),
    ],
)
def test_a_change_needs_the_tests_that_mirror_it(file, tests):
    assert needed([file]) == sorted([*ALWAYS, *tests])


def test_a_folder_stands_for_what_is_in_it():
    both = ["labeling/rules/ratings.py", "tests/labeling/rules/test_ratings.py"]
    assert needed(both) == sorted([*ALWAYS, "tests/labeling/rules"])
