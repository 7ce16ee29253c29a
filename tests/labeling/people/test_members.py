"""/api/phases/{id}/members/: a phase's people, with their quality and pace."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate import allocation
from labeling.models import Change, Membership
from labeling.people import accounts


@pytest.fixture
def address(phase):
    return f"/api/phases/{phase.pk}/members/"


def members(phase):
    return set(phase.memberships.labelling().values_list("user__username", flat=True))


def test_it_works(address, phase, outsider, admin_client):
    assert admin_client.post(address, {"usernames": ["olga"]}).status_code == 204
    assert members(phase) == {"ada", "ben", "olga"}


def test_twice_changes_nothing(address, phase, admin_client):
    for _ in range(2):
        assert admin_client.post(address, {"usernames": ["ada", "ben", "ada"]}).status_code == 204
    assert members(phase) == {"ada", "ben"}


def test_an_empty_list_is_accepted(address, phase, admin_client):
    assert admin_client.post(address, {"usernames": []}).status_code == 204
    assert members(phase) == {"ada", "ben"}


@pytest.mark.parametrize("who", ["annotator", "outsider", "ml_staff"])
def test_others_are_refused(address, phase, who, request, signed_in, outsider, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.post(address, {"usernames": ["olga"]}), 403, "permission_denied")
    assert members(phase) == {"ada", "ben"}


def test_signed_out_is_refused(address, signed_out_client, refused):
    refused(signed_out_client.post(address, {"usernames": ["olga"]}), 401, "not_authenticated")


@pytest.mark.parametrize(
    "body",
    [{}, {"usernames": None}, {"usernames": "ada"}, *({"usernames": ["ada", odd]} for odd in (None, 7, {}, [], "a\0"))],
)
def test_a_bad_body_is_refused(address, admin_client, refused, body):
    refused(admin_client.post(address, body), 400, "invalid")


def test_one_unknown_name_adds_nobody(address, phase, outsider, admin_client, refused):
    body = refused(admin_client.post(address, {"usernames": ["olga", "nobody"]}), 400, "invalid")
    assert "nobody" in body["detail"]
    assert members(phase) == {"ada", "ben"}


def test_an_inactive_person_is_refused(address, outsider, admin_client, refused):
    outsider.is_active = False
    outsider.save()
    refused(admin_client.post(address, {"usernames": ["olga"]}), 400, "invalid")


def test_members_are_listed_with_their_metrics(address, make, phase, annotator, ml_staff_client, now):
    for ratings in ([1, -1], [1, 1, 1]):
        task = make.task(phase, is_gold=True)
        make.gold(1, -1, solution=task.solution)
        make.labelling(task, *ratings, annotator=annotator, active_ms=30_000)
    make.labelling(make.task(phase), 1, annotator=annotator, superseded_at=now, active_ms=1)
    make.labelling(make.task(make.phase()), 1, annotator=annotator, active_ms=1)
    ada, ben, mika = ml_staff_client.get(address).json()["results"]
    assert ada == {
        "id": str(annotator.pk),
        "username": "ada",
        "is_active": True,
        "is_ml_staff": False,
        "role": "annotator",
        "is_let_in": False,
        "is_paused": False,
        "paused_at": None,
        "screening": "",
        "screening_agreement": None,
        "attempts": 0,
        "labellings": 2,
        "mean_ms": 30_000,
        "last_at": "2026-03-02T12:00:00Z",
        "quality": ada["quality"],
        "as_of": None,
        "is_counting": False,
    }
    assert (ada["quality"]["tasks"], ada["quality"]["accuracy"]) == (2, 0.5)
    assert ada["quality"]["outcomes"] == {"exact": 1, "missed": 1}
    assert (mika["role"], mika["is_ml_staff"], mika["labellings"]) == ("ml_staff", True, 0)
    assert (ben["labellings"], ben["mean_ms"], ben["quality"]["accuracy"]) == (0, None, None)


def test_queries_do_not_grow(address, make, phase, admin_client, django_assert_num_queries):
    for _ in range(4):
        task = make.task(phase, is_gold=True)
        make.gold(1, -1, solution=task.solution)
        person = make.user()
        phase.memberships.create(user=person)
        make.labelling(task, 1, -1, annotator=person)
    # session, user, phase, screening; gold count, judged, completions, kinds, gold; count, page, work
    with django_assert_num_queries(12):
        assert len(admin_client.get(address).json()["results"]) == 6


def test_page_after_page(address, phase, admin_client):
    first = admin_client.get(address, {"page_size": 1}).json()
    second = admin_client.get(first["next"]).json()
    assert [page["results"][0]["username"] for page in (first, second)] == ["ada", "ben"]
    assert second["next"] is None


# One member


@pytest.fixture
def change(address, annotator, admin_client):
    def act(**body):
        return admin_client.patch(f"{address}{annotator.pk}/", body)

    return act


def test_a_role(change, phase, annotator, admin):
    assert change(role="expert").json()["role"] == "expert"
    assert phase.memberships.get(user=annotator).role == "expert"
    line = Change.objects.get(kind="membership")
    assert (line.by, line.before, line.after) == (admin, {"role": "annotator"}, {"role": "expert"})


def test_an_admin_exempts_somebody_from_screening(change, make, phase, annotator, now):
    make.round(phase)
    make.screening(phase)
    phase.memberships.filter(user=annotator).update(screened_at=now, screening_agreement=0.1, attempts=1)
    assert change(is_let_in=True).json()["screening"] == "passed"
    assert allocation.claim_next(phase=phase, annotator=annotator, now=now).round.number == 0


def test_pausing_by_hand(change, phase, open_round, annotator, now):
    assert change(is_paused=True).json()["is_paused"]
    with pytest.raises(allocation.NothingToClaim) as refusal:
        allocation.claim_next(phase=phase, annotator=annotator, now=now)
    assert refusal.value.code == "paused"
    change(is_paused=False)
    assert allocation.claim_next(phase=phase, annotator=annotator, now=now).task


@pytest.mark.parametrize("body", [{"role": "king"}, {"is_paused": "perhaps"}, {"is_let_in": None}])
def test_a_bad_change_is_refused(change, refused, body):
    refused(change(**body), 400, "invalid")


def test_a_non_member_is_not_found(address, outsider, admin_client, refused):
    refused(admin_client.patch(f"{address}{outsider.pk}/", {}), 404, "not_found")


@pytest.mark.parametrize("number", [10, 40])
def test_people_are_added_in_the_same_queries_however_many(
    address, make, admin_client, number, django_assert_num_queries
):
    names = [make.user(username=f"person{place}").username for place in range(number)]
    with django_assert_num_queries(10):
        assert admin_client.post(address, {"usernames": names}).status_code == 204


def test_pausing_again_keeps_the_first_time(phase, annotator, admin, now):
    """True even if the act has an outdated copy of the row."""
    row, copy = (Membership.objects.get(phase=phase, user=annotator) for _ in range(2))
    for each, at in ((row, now), (copy, now + timedelta(hours=1))):
        accounts.change_member(membership=each, changes={"is_paused": True}, now=at, by=admin)
    assert Membership.objects.get(pk=row.pk).paused_at == now


def test_members_judged_on_gold_or_paused_are_listed(address, make, phase, annotator, ml_staff_client, now):
    def names():
        return [row["username"] for row in ml_staff_client.get(f"{address}?on_gold=true").json()["results"]]

    assert names() == []
    task = make.task(phase, is_gold=True)
    make.gold(1, -1, solution=task.solution)
    make.labelling(task, 1, -1, annotator=annotator)
    assert names() == ["ada"]
    phase.memberships.filter(user__username="ben").update(paused_at=now)
    assert names() == ["ada", "ben"]


# Removal


@pytest.fixture
def remove(address, annotator, admin_client):
    def act():
        assert admin_client.delete(f"{address}{annotator.pk}/").status_code == 204

    return act


def test_a_removed_member_gives_back_their_task(
    remove, phase, labelling, annotator, annotator_client, second_annotator, refused
):
    """Their labels stay, and their task in hand goes to others."""
    now = timezone.now()
    held = allocation.claim_next(phase=phase, annotator=annotator, now=now)
    remove()
    assert members(phase) == {"ben"}
    later = {"phase": phase, "annotator": second_annotator, "now": timezone.now() + timedelta(seconds=1)}
    assert allocation.claim_next(**later) == held
    assert list(phase.rounds.get().tasks.filter(labellings__annotator=annotator)) == [labelling.task]
    assert annotator_client.post(f"/api/phases/{phase.pk}/claim/").status_code == 404
    assert Change.objects.filter(act="remove", kind="membership").count() == 1


@pytest.mark.parametrize("act", ["renew", "submit"])
def test_a_removed_member_submits_nothing(remove, assignment, annotator_client, refused, act):
    address = f"/api/assignments/{assignment.pk}/"
    draft = {"version": 1, "ratings": [{"step": 0, "rating": 1}]}
    remove()
    assert annotator_client.put(f"{address}draft/", draft).status_code == 200
    sent = {"submit": {"ratings": [{"step": 0, "rating": -1}], "finish_reason": "found_error"}}
    refused(annotator_client.post(f"{address}{act}/", sent.get(act)), 403, "not_a_member")


def test_a_member_added_again_keeps_role_screening_and_pause(remove, address, phase, annotator, admin_client, now):
    before = {"role": "expert", "screened_at": now, "screening_agreement": 0.8, "attempts": 1, "paused_at": now}
    phase.memberships.filter(user=annotator).update(**before)
    for _ in range(2):
        remove()
        admin_client.post(address, {"usernames": ["ada"]})
        assert phase.memberships.filter(user=annotator, **before).exists()


@pytest.mark.parametrize("who", ["annotator", "outsider", "ml_staff"])
def test_others_cannot_remove_members(address, phase, second_annotator, who, request, signed_in, refused):
    client = signed_in(request.getfixturevalue(who))
    refused(client.delete(f"{address}{second_annotator.pk}/"), 403, "permission_denied")
    assert members(phase) == {"ada", "ben"}


def test_removing_people_needs_a_signed_in_user(address, second_annotator, signed_out_client, refused):
    refused(signed_out_client.delete(f"{address}{second_annotator.pk}/"), 401, "not_authenticated")


def test_removing_a_non_member_is_not_found(address, outsider, admin_client, refused):
    refused(admin_client.delete(f"{address}{outsider.pk}/"), 404, "not_found")
