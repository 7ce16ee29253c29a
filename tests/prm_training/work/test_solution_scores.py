"""/api/solutions/{id}/scores/: each model's scores of a solution's steps."""

import math

import pytest


def test_it_works(make, admin_client):
    solution = make.solution()
    current, old = make.reward_model(is_current=True), make.reward_model()
    make.reward_model()
    for model in (old, current):
        score = make.score(model, solution, -1.0)
        score.step_log_probabilities = [0.0, math.log(0.25)]
        score.save()
    rows = admin_client.get(f"/api/solutions/{solution.pk}/scores/").json()
    assert [row["model_name"] for row in rows] == [current.name, old.name]
    assert rows[0]["steps"] == pytest.approx([1.0, 0.25])


def test_unscored_is_empty(make, admin_client):
    assert admin_client.get(f"/api/solutions/{make.solution().pk}/scores/").json() == []


def test_an_unknown_solution_is_refused(admin_client, db, refused):
    refused(admin_client.get("/api/solutions/9b8d3c6e-0000-0000-0000-000000000000/scores/"), 404, "not_found")
