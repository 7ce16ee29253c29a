"""/api/labellings/?...: filters of the list, its table, and acts on many labellings."""

from datetime import timedelta

import pytest

ADDRESS = "/api/labellings/"


@pytest.fixture
def found(admin_client):
    def act(**query):
        answer = admin_client.get(ADDRESS, query)
        assert answer.status_code == 200, answer.content
        return {row["id"] for row in answer.json()["results"]}

    return act


@pytest.fixture
def rows(make, labelling, now):
    """Labellings by name: `mine` is all Great, `other` is imported, with an error in the second step."""
    other = make.labelling(make.task(), 1, -1, submitted_at=now + timedelta(days=3), active_ms=8_000)
    return {"mine": {str(labelling.pk)}, "other": {str(other.pk)}, "none": set(), "row": other}


def test_phase_round_annotator_and_finish_reason(rows, found, phase):
    assert found(phase=str(phase.pk)) == rows["mine"]
    assert found(round=str(rows["row"].task.round_id)) == rows["other"]
    assert found(annotator="ada") == rows["mine"]
    assert found(annotator="nobody") == rows["none"]
    assert found(finish_reason="found_error") == rows["other"]
    assert found(finish_reason="found_error", annotator="ada") == rows["none"]
    assert found(phase="", text="", first_error="", has_note="") == rows["mine"] | rows["other"], "empty: not narrowed"


def test_words_of_the_problem_and_of_every_note(make, rows, found):
    row = rows["row"]
    problem = row.task.solution.problem
    problem.statement = "How many Sheep are there?"
    problem.save()
    assert found(text="sheep") == rows["other"]
    row.completions.filter(step=1).update(note="Off by one.")
    assert found(text="off BY") == rows["other"]
    row.finish_note = "The statement is unclear."
    row.save()
    assert found(text="unclear") == rows["other"]
    assert found(text="no such words") == rows["none"]
    assert found(has_note="true") == rows["other"]
    assert found(has_note="false") == rows["mine"]


def test_days_on_the_readers_clock(rows, found):
    assert found(**{"from": "2026-03-03"}) == rows["other"]
    assert found(to="2026-03-03") == rows["mine"]
    assert found(**{"from": "2026-03-02", "to": "2026-03-02", "tz": "Pacific/Auckland"}) == rows["none"]
    assert found(**{"from": "2026-03-03", "to": "2026-03-03", "tz": "Pacific/Auckland"}) == rows["mine"]


def test_ratings(make, rows, found):
    unsure = {str(make.labelling(make.task(), 0, None).pk)}
    assert found(rating="positive") == rows["mine"] | rows["other"]
    assert found(rating="negative") == rows["other"]
    assert found(rating="neutral") == found(rating="unsure") == unsure
    assert found(first_error=1) == rows["other"]
    assert found(first_error=0) == rows["none"]


def test_pace(make, rows, found):
    """Labellings of 30 and 4 seconds a step, and of unknown time."""
    make.labelling(make.task(), 1, active_ms=None)
    assert found(pace_to=4) == rows["other"]
    assert found(pace_from=5) == rows["mine"]
    assert found(pace_from=4, pace_to=30) == rows["mine"] | rows["other"]
    assert found(pace_to=3.9) == rows["none"]


def test_checks(rows, found):
    row = rows["row"]
    row.checks = ["no_error", "too_fast"]
    row.save()
    assert found(check="too_fast") == rows["other"]
    assert found(check="fine_but_incomplete") == rows["none"]


def test_the_guidelines(make, rows, found, phase):
    assert found(guidelines_version=1) == found(is_outdated="false") == rows["mine"]
    assert found(is_outdated="true") == rows["none"]
    phase.guidelines_version = 2
    phase.save()
    assert found(is_outdated="true", phase=str(phase.pk)) == rows["mine"]
    assert found(guidelines_version=2) == found(is_outdated="false") == rows["none"], "the imported one's is not known"


def test_superseded_labellings(make, rows, found, now):
    old = {str(make.labelling(make.task(), 1, superseded_at=now).pk)}
    assert found(is_superseded="true") == old
    assert found(is_superseded="false") == found() == rows["mine"] | rows["other"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("phase", "x"),
        ("round", "x"),
        ("annotator", "\0"),
        ("text", "\0"),
        ("text", "x" * 201),
        ("finish_reason", "\0"),
        ("finish_reason", "bored"),
        ("rating", "2"),
        ("first_error", "-1"),
        ("pace_to", "fast"),
        ("check", "all_same"),
        ("has_note", "perhaps"),
        ("guidelines_version", "0"),
        ("is_outdated", "2"),
        ("from", "yesterday"),
        ("tz", "Mars"),
        ("speed", "1"),
    ],
)
def test_a_bad_filter_is_refused(labelling, admin_client, refused, name, value):
    body = refused(admin_client.get(ADDRESS, {name: value}), 400, "invalid")
    assert name in str(body["errors"])


def test_all_filters_take_as_many_queries_as_none(rows, admin_client, phase, django_assert_num_queries):
    everything = {"phase": str(phase.pk), "annotator": "ada", "text": "What", "rating": "positive", "pace_from": 1}
    everything |= {"first_error": 0, "has_note": "false", "is_outdated": "false", "check": "too_fast"}
    with django_assert_num_queries(6):  # session, user; dated, and others: count, page
        assert admin_client.get(ADDRESS, everything).json()["results"] == []
