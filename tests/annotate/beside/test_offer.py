"""/api/assignments/{id}/completions/: the completions to rate after a path."""

import pytest

from annotate import allocation
from labeling.models import CompletionSet

TREE = [["a", "b", "The answer is 5."], ["a", "c"], ["d"]]


@pytest.fixture
def open_task(make, annotator, now):
    """Opens a task on the first of a problem's three solutions, in a phase with these settings. Returns its address."""

    def act(**settings):
        phase = make.phase(annotator, **settings)
        problem = make.problem()
        seed, *_ = [make.solution(problem, steps=steps) for steps in TREE]
        make.round(phase, [seed])
        taken = allocation.claim_next(phase=phase, annotator=annotator, now=now)
        return f"/api/assignments/{taken.pk}/completions/"

    return act


@pytest.fixture
def address(open_task):
    return open_task(kind="alternatives")


def texts(answer):
    assert answer.status_code == 200
    return {item["text"] for item in answer.json()["completions"]}


def test_it_works(address, annotator_client):
    answer = annotator_client.post(address, {"purpose": "step", "path": []})
    assert texts(answer) == {"a", "d"}
    assert (answer.json()["status"], answer.json()["detail"]) == ("ready", "")


def test_it_says_which_completions_state_an_answer(address, annotator_client):
    answer = annotator_client.post(address, {"path": ["a", "b"]})
    assert answer.json()["completions"] == [{"text": "The answer is 5.", "states_answer": True}]
    first = annotator_client.post(address, {"path": []}).json()["completions"]
    assert not any(item["states_answer"] for item in first)


def test_nothing_may_be_offered_after_a_step_of_ones_own(address, annotator_client):
    assert texts(annotator_client.post(address, {"path": ["mine"]})) == set()


def test_a_trajectory_has_no_critiques(address, annotator_client, refused):
    refused(annotator_client.post(address, {"path": ["a"], "purpose": "critique"}), 400, "not_asked")


def test_alternatives_to_a_step_exclude_the_step(open_task, annotator_client):
    address = open_task(asks_alternatives=True)
    assert texts(annotator_client.post(address, {"path": ["a"]})) == {"c"}
    assert texts(annotator_client.post(address, {"path": []})) == {"d"}


def test_critiques(open_task, annotator_client, generator):
    generator.answers = [["Not b.\n\nReally.", "Not b.", "No.", "Never.", "b is wrong."]]
    address = open_task(asks_critiques=True, generator_url=generator.url, generator_model="prover")
    answer = annotator_client.post(address, {"path": ["a", "b"], "purpose": "critique"})
    assert texts(answer) == {"Not b.", "No.", "Never.", "b is wrong."}


@pytest.mark.parametrize("purpose", ["step", "critique"])
def test_purposes_that_the_phase_does_not_ask_for_are_refused(open_task, annotator_client, refused, purpose):
    refused(annotator_client.post(open_task(), {"path": ["a"], "purpose": purpose}), 400, "not_asked")


@pytest.mark.parametrize(
    "path", [["z"], ["a", "c"], ["a", "b", "The answer is 5."], ["a", "b", "The answer is 5.", "e"]]
)
def test_a_path_that_the_solution_does_not_begin_with_is_refused(open_task, annotator_client, refused, path):
    address = open_task(asks_alternatives=True)
    refused(annotator_client.post(address, {"path": path}), 400, "not_asked")


def test_a_generator_that_is_down_is_reported_and_asked_again(open_task, annotator_client, generator):
    generator.answers = [lambda handler: handler.reply(500, ""), ["e", "f"]]
    address = open_task(kind="alternatives", generator_url=generator.url, generator_model="prover")
    failed = annotator_client.post(address, {"path": []})
    assert (failed.json()["status"], texts(failed)) == ("failed", {"a", "d"})
    assert "500" in failed.json()["detail"]
    assert generator.url not in failed.content.decode()
    assert annotator_client.post(address, {"path": []}).json()["status"] == "failed"
    assert texts(annotator_client.post(address, {"path": [], "again": True})) == {"a", "d", "e", "f"}


def test_a_local_models_completions_are_pending_until_written(open_task, annotator_client):
    address = open_task(kind="alternatives", generator_model="/models/tiny")
    answer = annotator_client.post(address, {"path": []}).json()
    assert (answer["status"], answer["completions"], answer["detail"]) == ("pending", [], "Waiting for the generator.")
    CompletionSet.objects.update(status="done", texts=["e"])
    assert texts(annotator_client.post(address, {"path": []})) == {"a", "d", "e"}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"path": None},
        {"path": "a"},
        {"path": [1, {}]},
        {"path": ["a\0b"]},
        {"path": ["x"] * 201},
        {"path": [], "purpose": "poem"},
        {"path": [], "again": "often"},
    ],
)
def test_a_bad_body_is_refused(address, annotator_client, refused, body):
    refused(annotator_client.post(address, body), 400, "invalid")


@pytest.mark.parametrize("who", ["second_annotator", "outsider", "admin", "ml_staff", "superuser"])
def test_anybody_elses_is_not_found(address, who, request, signed_in, refused):
    refused(signed_in(request.getfixturevalue(who)).post(address, {"path": []}), 404, "not_found")


def test_signed_out_is_refused(address, signed_out_client, refused):
    refused(signed_out_client.post(address, {"path": []}), 401, "not_authenticated")
