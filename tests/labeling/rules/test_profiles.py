"""labeling.rules.profiles and error_kinds: the initial settings of a phase by domain."""

import pytest

from labeling.rules import error_kinds, profiles
from labeling.rules.error_kinds import ErrorKind, InvalidKinds
from labeling.rules.profiles import Profile

PROFILES = pytest.mark.parametrize("profile", Profile)


@PROFILES
def test_its_guidelines_say_what_the_ratings_mean_and_what_to_judge_by(profile):
    traits = profile.traits
    assert all(text in traits.guidelines for text in (*traits.meanings, traits.instruction))
    assert profiles.settings_of(profile)["instructions"] == traits.guidelines


@PROFILES
def test_only_mathematics_speaks_of_mathematics(profile):
    said = " ".join([profile.traits.guidelines, *(kind.help for kind in profile.traits.error_kinds)]).lower()
    assert ("mathematic" in said) == (profile is Profile.MATHEMATICS)


@PROFILES
def test_its_example_kinds_of_error_are_valid(profile):
    error_kinds.check_kinds(profile.traits.error_kinds)


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        ([ErrorKind("ab", "Two")], "one lower-case letter or digit"),
        ([ErrorKind("", "None")], "one lower-case letter or digit"),
        ([ErrorKind("A", "Upper")], "one lower-case letter or digit"),
        ([ErrorKind("é", "Accent")], "one lower-case letter or digit"),
        ([ErrorKind("a", "One"), ErrorKind("a", "Other")], "used twice"),
        ([ErrorKind("a", " ")], "has no name"),
        ([ErrorKind("a", "One", parent="b")], "not a kind before it"),
        ([ErrorKind("a", "One", parent="a")], "not a kind before it"),
    ],
)
def test_an_invalid_list_of_kinds_is_refused(kinds, said):
    with pytest.raises(InvalidKinds, match=said):
        error_kinds.check_kinds(kinds)
