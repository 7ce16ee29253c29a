"""labeling.campaign.gold, and /api/gold/: experts' labels, in sets, with versions."""

import pytest

from labeling.campaign import gold, rounds
from labeling.models import Change, Gold, Membership

ADDRESS = "/api/gold/"


@pytest.mark.parametrize(("ratings", "step_count"), [([1, 0, 1], 3), ([1, -1], 3), ([-1], 1), ([1, 0, -1], 3)])
def test_gold_goes_to_the_first_negative_or_the_end(ratings, step_count):
    gold.check_ratings(ratings, step_count=step_count)


@pytest.mark.parametrize("ratings", [[], [1, 1], [1, -1, 1], [1, 1, 1, 1], [1, None, 1], [1, 2, 1], [True, 1, 1]])
def test_anything_else_is_refused(ratings):
    with pytest.raises(gold.InvalidGold):
        gold.check_ratings(ratings, step_count=3)


def test_it_works(make, admin, admin_client):
    solution = make.solution()
    body = {"solution": str(solution.pk), "ratings": [1, -1], "rationale": "2 + 3 is 5.", "gold_set": "entry"}
    answer = admin_client.post(ADDRESS, body)
    assert answer.status_code == 201
    assert body.items() <= answer.json().items()
    made = Gold.objects.get()
    assert (made.solution, made.ratings, made.version, made.author) == (solution, [1, -1], 1, admin)
    (row,) = admin_client.get(ADDRESS).json()["results"]
    assert row == answer.json()
    assert Change.objects.get(act="put").by == admin


def test_a_correction_is_a_new_version(make, admin_client):
    solution = make.gold(1, 1, 1).solution
    body = {"solution": str(solution.pk), "ratings": [1, 1, -1]}
    assert admin_client.post(ADDRESS, body).json()["version"] == 2
    assert list(Gold.objects.order_by("version").values_list("ratings", flat=True)) == [[1, 1, 1], [1, 1, -1]]
    (newest,) = admin_client.get(ADDRESS, {"is_newest": "true"}).json()["results"]
    assert newest["version"] == 2


def test_a_correction_keeps_mistakes_of_steps_that_are_still_wrong(make, admin_client):
    made = make.gold(1, -1)
    mistakes = [{"step": 1, "kind": "Signs", "root_cause": 0}]
    Gold.objects.filter(pk=made.pk).update(mistakes=mistakes)
    body = {"solution": str(made.solution.pk), "ratings": [0, -1]}
    assert admin_client.post(ADDRESS, body).json()["mistakes"] == mistakes
    assert admin_client.post(ADDRESS, body | {"ratings": [0, 1, -1]}).json()["mistakes"] == []


def test_experts_name_kinds_and_causes_and_correct_them_step_by_step(make, admin_client):
    make.phase(rates_all_steps=True, gold_set="gold")
    body = {"solution": str(make.solution().pk), "ratings": [-1, 1, -1]}
    said = [{"step": step, "kind": "Signs", "root_cause": 0} for step in (0, 2)]
    assert admin_client.post(ADDRESS, body | {"mistakes": said}).json()["mistakes"] == said
    other = {"step": 2, "kind": "Copying", "root_cause": None}
    assert admin_client.post(ADDRESS, body | {"mistakes": [other]}).json()["mistakes"] == [said[0], other]
    nothing = {"step": 0, "kind": "", "root_cause": None}
    assert admin_client.post(ADDRESS, body | {"mistakes": [nothing]}).json()["mistakes"] == [other]


@pytest.mark.parametrize(
    ("step", "root_cause", "told"),
    [(0, None, "Step 1 is not rated negative"), (5, None, "Step 6 is not"), (1, 2, "can't be a later one")],
)
def test_mistakes_belong_to_wrong_steps_and_root_causes_come_no_later(
    make, admin_client, refused, step, root_cause, told
):
    mistakes = [{"step": step, "kind": "Signs", "root_cause": root_cause}]
    body = {"solution": str(make.solution().pk), "ratings": [1, -1], "mistakes": mistakes}
    assert told in refused(admin_client.post(ADDRESS, body), 400, "invalid_gold")["detail"]


def test_a_set_says_what_its_phase_asks_about_mistakes(make, admin_client):
    kinds = [{"key": "s", "name": "Signs", "parent": "", "help": ""}]
    make.phase(gold_set="kinds", error_kinds=kinds, asks_root_cause=True)
    make.phase(gold_set="plain")
    (found,) = admin_client.get(f"{ADDRESS}sets/").json()
    assert found == {
        **{"gold_set": "kinds", "solutions": 0, "rates_all_steps": False},
        **{"error_kinds": kinds, "asks_root_cause": True},
    }


def test_gold_taken_out_of_service_keeps_its_ratings(make, admin_client, refused):
    """A request to take gold out of service with other ratings is refused."""
    solution = make.gold(1, 1, 1, gold_set="entry").solution
    body = {"solution": str(solution.pk), "gold_set": ""}
    for half_done in ([1, 1, 0], [1, -1], []):
        refused(admin_client.post(ADDRESS, {**body, "ratings": half_done}), 400, "invalid_gold")
    assert admin_client.post(ADDRESS, {**body, "ratings": [1, 1, 1]}).json()["gold_set"] == ""
    assert not Gold.objects.in_service().exists()


def test_a_solution_without_gold_cannot_go_out_of_service(make, admin_client, refused):
    body = {"solution": str(make.solution().pk), "ratings": [1, 1, 1], "gold_set": ""}
    refused(admin_client.post(ADDRESS, body), 400, "invalid_gold")


@pytest.mark.parametrize("ratings", [[1, None, -1], [1, "", -1], [1, 0.5, -1], [1, True, -1], None])
def test_ratings_that_nobody_gave_are_refused(make, admin_client, refused, ratings):
    """A missing rating is not Okay."""
    solution = make.solution()
    body = {"solution": str(solution.pk), "ratings": ratings}
    refused(admin_client.post(ADDRESS, body), 400, "invalid")
    refused(admin_client.post(f"{ADDRESS}import/", {"gold_set": "x", "golds": [body]}), 400, "invalid")
    assert not Gold.objects.exists()


def test_an_expert_labels_in_place(make, phase, annotator, annotator_client, refused):
    labelling = make.labelling(make.task(phase), 1, 0, -1, annotator=annotator)
    body = {"labelling": str(labelling.pk), "rationale": "It isn't."}
    refused(annotator_client.post(ADDRESS, body), 403, "permission_denied")
    Membership.objects.filter(user=annotator).update(role="expert")
    made = annotator_client.post(ADDRESS, body).json()
    assert (made["ratings"], made["rationale"], made["author"]) == ([1, 0, -1], "It isn't.", "ada")


def test_a_labelling_with_an_unsure_step_is_no_gold(make, phase, annotator, admin_client, refused):
    labelling = make.labelling(make.task(phase), 1, None, 1, annotator=annotator)
    refused(admin_client.post(ADDRESS, {"labelling": str(labelling.pk)}), 400, "invalid_gold")


@pytest.mark.parametrize("ratings", [[1, 1], [1, -1, 1], [2, 1, 1], "x", None])
def test_bad_ratings_are_refused(make, admin_client, ratings):
    body = {"solution": str(make.solution().pk), "ratings": ratings}
    assert admin_client.post(ADDRESS, body).status_code == 400
    assert not Gold.objects.exists()


def test_exactly_one_of_labelling_and_solution_is_required(make, admin_client, refused):
    both = {"solution": str(make.solution().pk), "labelling": str(make.labelling(make.task(), 1, 1, 1).pk)}
    for body in ({"ratings": [1, 1, 1]}, both):
        refused(admin_client.post(ADDRESS, body), 400, "invalid")


# Import, sets


def test_a_set_is_imported_whole(make, admin_client):
    rows = [{"solution": str(make.solution().pk), "ratings": [1, 1, 1]} for _ in range(3)]
    answer = admin_client.post(f"{ADDRESS}import/", {"gold_set": "entry", "golds": rows})
    assert (answer.status_code, len(answer.json())) == (201, 3)
    assert set(Gold.objects.values_list("gold_set", flat=True)) == {"entry"}


@pytest.mark.parametrize("number", [10, 40])
def test_a_set_is_imported_in_the_same_queries_however_large(make, admin_client, number, django_assert_num_queries):
    rows = [{"solution": str(make.solution().pk), "ratings": [1, 1, 1]} for _ in range(number)]
    with django_assert_num_queries(9):
        assert admin_client.post(f"{ADDRESS}import/", {"gold_set": "entry", "golds": rows}).status_code == 201


def test_the_same_solution_twice_gets_two_versions(make, admin_client):
    twice = [{"solution": str(make.solution().pk), "ratings": ratings} for ratings in ([1, 1, 1], [-1])]
    twice[1]["solution"] = twice[0]["solution"]
    rows = admin_client.post(f"{ADDRESS}import/", {"gold_set": "entry", "golds": twice}).json()
    assert [row["version"] for row in rows] == [1, 2]


def test_a_set_with_an_invalid_row_is_not_imported(make, admin_client, refused):
    rows = [{"solution": str(make.solution().pk), "ratings": ratings} for ratings in ([1, 1, 1], [1, 1])]
    body = refused(admin_client.post(f"{ADDRESS}import/", {"gold_set": "x", "golds": rows}), 400, "invalid_gold")
    assert body["detail"].startswith("Row 2: ")
    assert not Gold.objects.exists()


def test_sets_with_their_sizes(make, admin_client):
    for gold_set in ("entry", "hidden", "hidden"):
        make.gold(1, 1, 1, gold_set=gold_set)
    retired = make.gold(1, 1, 1, gold_set="hidden").solution
    make.gold(1, 1, 1, solution=retired, version=2, gold_set="")
    make.phase(gold_set="hidden", rates_all_steps=True)
    make.phase(gold_set="awaited", rates_all_steps=True)
    sets = [("awaited", 0, True), ("entry", 1, False), ("hidden", 2, True)]
    assert [tuple(row.values())[:3] for row in admin_client.get(f"{ADDRESS}sets/").json()] == sets


def test_gold_is_filtered_by_set(make, admin_client):
    made = make.gold(1, 1, 1, gold_set="entry")
    make.gold(1, 1, 1)
    (row,) = admin_client.get(ADDRESS, {"gold_set": "entry"}).json()["results"]
    assert row["id"] == str(made.pk)


# Screening from gold


def test_screening_from_a_set(make, phase, admin_client):
    for _ in range(3):
        make.gold(1, 1, 1, gold_set="entry")
    make.gold(1, 1, 1)
    row = admin_client.post(f"/api/phases/{phase.pk}/screening/", {"gold_set": "entry", "size": 2}).json()
    assert (row["number"], row["task_count"], row["labellings_wanted"]) == (-1, 2, 4)


def test_a_screening_keeps_the_size_requested(make, phase, admin_client):
    make.gold(1, 1, 1, gold_set="entry")
    body = {"gold_set": "entry", "size": 30}
    row = admin_client.post(f"/api/phases/{phase.pk}/screening/", body).json()
    assert (row["task_count"], row["requested"]) == (1, 30)
    assert admin_client.get(f"/api/rounds/{row['id']}/").json()["requested"] == 30


def test_a_screening_is_drawn_from_the_phases_sources(make, admin_client, refused):
    phase = make.phase(sources=["gsm8k"])
    make.gold(1, 1, 1)
    address, body = f"/api/phases/{phase.pk}/screening/", {"gold_set": "gold"}
    assert "gold set “gold” (1)" in refused(admin_client.post(address, body), 400, "nothing_to_publish")["detail"]
    own = make.gold(1, 1, 1, solution=make.solution(source="gsm8k"))
    assert admin_client.post(address, body).json()["task_count"] == 1
    assert [task.solution for task in phase.rounds.get().tasks.all()] == [own.solution]


def test_an_empty_set_is_no_screening(phase, admin_client, refused):
    body = {"gold_set": "entry"}
    refused(admin_client.post(f"/api/phases/{phase.pk}/screening/", body), 400, "nothing_to_publish")


# Who sees gold sets


def test_a_set_says_how_much_of_it_is_unseen(make, phase, ml_staff_client, now):
    """One of the phase's gold solutions was in the screening, and one in a round."""
    phase.sources = ["gsm8k"]
    phase.save()
    own = [make.gold(1, 1, 1, solution=make.solution(source="gsm8k")) for _ in range(4)]
    make.gold(1, 1, 1)
    make.gold(1, 1, 1, gold_set="elsewhere")
    rounds.publish_screening(phase=phase, solution_ids=[own[0].solution_id], now=now)
    make.task(phase, solution=own[1].solution)
    assert ml_staff_client.get(f"/api/phases/{phase.pk}/gold/").json() == [
        {"gold_set": "elsewhere", "solutions": 1, "drawn": 0, "fresh": 0},
        {"gold_set": "gold", "solutions": 5, "drawn": 4, "fresh": 2},
    ]


@pytest.mark.parametrize("who", ["annotator", "outsider"])
def test_annotators_do_not_learn_of_sets(phase, who, request, signed_in, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.get(f"/api/phases/{phase.pk}/gold/"), 403, "permission_denied")


def test_experts_of_a_phase_do_not_learn_of_sets(make, phase, signed_in, refused):
    expert = make.user()
    phase.memberships.create(user=expert, role="expert")
    refused(signed_in(expert).get(f"/api/phases/{phase.pk}/gold/"), 403, "permission_denied")


def test_signed_out_is_refused(phase, signed_out_client, refused):
    refused(signed_out_client.get(f"/api/phases/{phase.pk}/gold/"), 401, "not_authenticated")


def test_its_queries_do_not_grow_with_people_and_gold(make, phase, admin_client, django_assert_num_queries):
    for _ in range(5):
        make.gold(1, 1, 1)
        phase.memberships.create(user=make.user())
    with django_assert_num_queries(6):  # session, user, phase, sets; drawn and people of one set
        assert admin_client.get(f"/api/phases/{phase.pk}/gold/").json()[0]["drawn"] == 5


@pytest.mark.parametrize("ratings", [[1, -1, 1], [-1, -1, -1], [1, -1], [1, 1, 1]])
def test_where_all_steps_are_rated_gold_may_go_on_after_a_mistake(ratings):
    gold.check_ratings(ratings, step_count=3, rates_all_steps=True)


@pytest.mark.parametrize("ratings", [[-1, 1], [1, -1, 1, 1], [1, 1]])
def test_where_all_steps_are_rated_incomplete_gold_is_refused(ratings):
    with pytest.raises(gold.InvalidGold):
        gold.check_ratings(ratings, step_count=3, rates_all_steps=True)


def test_a_set_of_a_phase_that_rates_all_steps_takes_such_gold(make, admin_client):
    body = {"solution": str(make.solution().pk), "ratings": [1, -1, 1], "gold_set": "agents"}
    assert admin_client.post(ADDRESS, body).status_code == 400
    make.phase(gold_set="agents", rates_all_steps=True)
    assert admin_client.post(ADDRESS, body).status_code == 201
    out = admin_client.post(ADDRESS, body | {"gold_set": ""})
    assert (out.status_code, out.json()["ratings"]) == (201, [1, -1, 1])


def test_gold_for_a_phase_that_rates_all_steps_goes_on_in_any_set(make, admin_client):
    body = {"solution": str(make.solution().pk), "ratings": [1, -1, 1], "gold_set": "new"}
    stopping, whole = make.phase(), make.phase(rates_all_steps=True)
    assert admin_client.post(ADDRESS, body | {"phase": str(stopping.pk)}).json()["code"] == "invalid_gold"
    made = admin_client.post(ADDRESS, body | {"phase": str(whole.pk)})
    assert (made.status_code, made.json()["ratings"]) == (201, [1, -1, 1])


def test_a_correction_of_gold_that_goes_on_may_go_on_whatever_the_set(make, admin_client):
    solution = make.solution()
    gold.put(solution=solution, expertise=gold.Expertise([1, -1, 1], rates_all_steps=True), by=None)
    corrected = admin_client.post(ADDRESS, {"solution": str(solution.pk), "ratings": [1, -1, -1]})
    assert (corrected.status_code, corrected.json()["version"]) == (201, 2)
    assert admin_client.post(ADDRESS, {"solution": str(solution.pk), "ratings": [1, -1, 1, 1]}).status_code == 400


def test_an_expert_names_no_phase_that_they_do_not_see(make, signed_in):
    own, foreign, person = make.phase(), make.phase(rates_all_steps=True), make.user()
    own.memberships.create(user=person, role="expert")
    body = {"solution": str(make.task(own).solution_id), "ratings": [1, -1, 1], "phase": str(foreign.pk)}
    answer = signed_in(person).post(ADDRESS, body)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["phase"])
