"""`?ordering=`: lists sorted by a column, either way, page by page; and how many rows there are."""

from datetime import timedelta

import pytest

from labeling.api import pagination


@pytest.fixture
def work(make, phase, annotator, second_annotator, now):
    """Two labellings by Ada, then a slower one by Ben."""
    who = [(annotator, 1000), (annotator, 2000), (second_annotator, 9000)]
    return [
        make.labelling(
            make.task(phase, number=number),
            1,
            annotator=person,
            active_ms=ms,
            submitted_at=now + timedelta(hours=number),
        )
        for number, (person, ms) in enumerate(who)
    ]


@pytest.fixture
def pages(superuser_client):
    def read(address, **asked):
        page, found = superuser_client.get(address, {"page_size": 1, **asked}).json(), []
        while page["next"]:
            found += page["results"]
            page = superuser_client.get(page["next"]).json()
        return [*found, *page["results"]]

    return read


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("by", "names"),
    [
        ("username", ["ada", "ben"]),
        ("-username", ["ben", "ada"]),
        ("labellings", ["ben", "ada"]),
        ("-labellings", ["ada", "ben"]),
        ("last_at", ["ada", "ben"]),
        ("-last_at", ["ben", "ada"]),
        ("mean_ms", ["ada", "ben"]),
        ("-mean_ms", ["ben", "ada"]),
        ("accuracy", ["ben", "ada"]),
        ("-accuracy", ["ada", "ben"]),
    ],
)
def test_people_by_their_work(work, pages, make, phase, by, names):
    for labelling, rating in zip(work, (1, -1, -1), strict=True):
        make.gold(rating, solution=labelling.task.solution)
        type(labelling.task).objects.filter(pk=labelling.task_id).update(is_gold=True)
    for address in ("/api/people/", f"/api/phases/{phase.pk}/members/"):
        assert [row["username"] for row in pages(address, ordering=by) if row["username"] in {"ada", "ben"}] == names


def test_people_by_their_time(work, pages):
    found = pages("/api/people/", ordering="-active_ms")
    assert [(row["username"], row["active_ms"]) for row in found][:3] == [("ben", 9000), ("ada", 3000), ("root", 0)]


@pytest.mark.every_case
@pytest.mark.parametrize("by", ["accuracy", "-accuracy", "mean_ms", "-mean_ms"])
def test_missing_numbers_come_last(work, pages, by):
    values = [row[by.removeprefix("-")] for row in pages("/api/people/", ordering=by)]
    assert values == sorted(values, key=lambda value: value is None)


def test_gold_by_set_and_version(make, pages):
    for gold_set, version in (("b", 1), ("a", 2), ("c", 3)):
        make.gold(1, 1, 1, gold_set=gold_set, version=version)
    assert [row["gold_set"] for row in pages("/api/gold/", ordering="gold_set")] == ["a", "b", "c"]
    assert [row["version"] for row in pages("/api/gold/", ordering="-version")] == [3, 2, 1]


def test_trainings_by_name_and_metric(make, pages):
    for name, auc in (("b", 0.7), ("a", None), ("c", 0.9)):
        make.training_run(name=name, metrics={"held_out": {"step_auc": auc}} if auc else {})
    listed = {by: [row["name"] for row in pages("/api/training-runs/", ordering=by)] for by in ("name", "-step_auc")}
    assert listed == {"name": ["a", "b", "c"], "-step_auc": ["c", "b", "a"]}
    assert [row["name"] for row in pages("/api/training-runs/", ordering="step_auc")] == ["b", "c", "a"]
    assert [row["name"] for row in pages("/api/training-runs/")] == ["c", "a", "b"]


def test_the_oldest_first(work, pages, make, superuser):
    make.selection(status="done")
    make.selection(status="done")
    for address, name in (("labellings", "submitted_at"), ("runs", "created_at"), ("changes", "at")):
        falling, rising = [[row[name] for row in pages(f"/api/{address}/", ordering=by)] for by in (f"-{name}", name)]
        assert (falling, rising) == (sorted(falling, reverse=True), sorted(falling)), address
        assert falling == [row[name] for row in pages(f"/api/{address}/")]


@pytest.mark.parametrize("by", ["password", "-password", "--username", "username,pk", "?", "user__password", "\x00"])
def test_other_columns_are_refused(by, phase, superuser_client, refused):
    for address in ("people", "labellings", "runs", "changes", "gold", "training-runs", f"phases/{phase.pk}/members"):
        assert (
            "ordering" in refused(superuser_client.get(f"/api/{address}/", {"ordering": by}), 400, "invalid")["errors"]
        )


def test_the_total_on_every_page(work, superuser_client, monkeypatch):
    first = superuser_client.get("/api/labellings/", {"page_size": 2}).json()
    assert [first["count"], superuser_client.get(first["next"]).json()["count"]] == [3, 3]
    assert superuser_client.get("/api/labellings/", {"annotator": "ada"}).json()["count"] == 2
    monkeypatch.setattr(pagination, "MOST_COUNTED", 1)
    assert superuser_client.get("/api/labellings/").json()["count"] == 2
