"""/api/people/{id}/data/, …/pseudonymise/ and …/erase/, and the command: one person's data."""

import json

import pytest
from django.apps import apps
from django.core import serializers
from django.core.management import CommandError, call_command
from django.db.models import ManyToOneRel
from django.utils import timezone

from annotate import allocation, drafts, submission
from labeling import audit
from labeling.counts import recounts
from labeling.models import Assignment, Change, FailedSignIns, Invitation, Labelling, Round, Tally, Task, User
from labeling.people import accounts, erasure, invitations, personal_data, sessions, sign_in, tokens
from labeling.people.sign_in import Visitor
from labeling.rules.audited import AuditAct
from prm_training.models import SecondLook

NAME, ADDRESS, SECRET = "Xanthippe", "203.0.113.77", "encrypted"
# Each column that names a person, with the kind of its records in their export, or why it is not exported.
EXPORTED = {
    "annotate.Draft.annotator": "draft",
    "labeling.ApiToken.user": "token",
    "labeling.BrowserSession.user": "browser session",
    "labeling.Change.by": "log line",
    "labeling.FormerMember.user": "former membership",
    "labeling.Invitation.by": "invitation",
    "labeling.Labelling.annotator": "labelling",
    "labeling.Membership.user": "membership",
    "labeling.Report.annotator": "report",
    "labeling.Run.owner": "run",
    "mfa.Authenticator.user": "second factor",
    "prm_training.SecondLook.person": "second look",
    "socialaccount.SocialAccount.user": "single sign-on",
}
IN_LOG = "an act of staff, which is a line of the audit log"
UNUSED = "stays empty"
NOT_EXPORTED = {
    "account.EmailAddress.user": UNUSED,
    "annotate.Release.annotator": "only counted, for the limit of an hour",
    "labeling.Assignment.annotator": "its draft and its labelling are exported; its kind tells gold from work",
    "labeling.Case.by": IN_LOG,
    "labeling.Gold.author": IN_LOG,
    "labeling.Invitation.accepted_by": "the account itself says when it was made",
    "labeling.Invitation.person": "an act of whoever invited them",
    "labeling.Report.resolved_by": IN_LOG,
    "labeling.Tally.annotator": "counts their labellings, and tells how many were of gold",
    "labeling.User_groups.user": UNUSED,
    "labeling.User_user_permissions.user": UNUSED,
    "labeling.Withdrawal.by": IN_LOG,
    "prm_training.Autopilot.owner": IN_LOG,
    "prm_training.Promotion.by": IN_LOG,
}


@pytest.fixture
def person(make, admin, all_great, now):
    """A person named in every kind of row that can name one."""
    _, secret = invitations.invite(days=7, now=timezone.now(), by=admin)
    found = Invitation.objects.get(secret_hash=tokens.hashed(secret))
    person = invitations.accept(invitation=found, username=NAME, password="a long sentence", now=timezone.now())
    phase, former = (make.phase(name=name) for name in ("Arithmetic", "Geometry"))
    accounts.add_members(phase=phase, users=[person], by=admin)
    accounts.add_members(phase=former, users=[person], by=admin)
    accounts.remove_member(membership=person.memberships.get(phase=former), now=now, by=admin)
    tokens.make_token(user=person, name=f"{NAME}'s laptop")
    invitations.invite(days=7, now=timezone.now(), by=person)
    sign_in.record(person=person, visitor=Visitor(ADDRESS))
    sign_in.attempt(username=NAME, visitor=Visitor(ADDRESS), check=lambda: None, now=now)
    make.screening(phase)
    allocation.claim_next(phase=phase, annotator=person, now=now)
    person.memberships.update(is_let_in=True)
    make.round(phase, 4)
    done = allocation.claim_next(phase=phase, annotator=person, now=now)
    submission.submit(assignment_id=done.pk, annotator=person, submission=all_great, now=now)
    done.task.reports.create(annotator=person, note=f"Regards, {NAME}")
    held = allocation.claim_next(phase=phase, annotator=person, now=now)
    drafts.save(assignment_id=held.pk, annotator=person, version=1, content={"note": NAME}, now=now)
    make.training_run(phase=phase, labels={"without_annotators": [NAME]}, owner=person)
    sessions.note(session=sessions.SessionStore(), user=person, address=ADDRESS, browser=f"{NAME}'s browser")
    person.socialaccount_set.create(provider="oidc", uid=f"{NAME}@example.org")
    person.authenticator_set.create(type="totp", data={"secret": SECRET})
    SecondLook.objects.create(
        labelling=person.labellings.get(),
        step=0,
        person=person,
        reward_model=make.reward_model(),
        first_rating=1,
        rating=-1,
        chance=0.1,
    )
    User.objects.filter(pk=person.pk).update(email=f"{NAME}@example.org", preferences={"seen": NAME})
    person.refresh_from_db()
    return person


def everything() -> str:
    """Returns all rows of all tables as JSON, except the short-lived counts of failed sign-ins."""
    models = set(apps.get_models()) - {FailedSignIns}
    return "".join(serializers.serialize("json", model._default_manager.all()) for model in models)


def test_the_export_has_what_they_did_and_no_secret(person, admin_client):
    answer = admin_client.get(f"/api/people/{person.pk}/data/")
    records = [json.loads(line) for line in answer.getvalue().decode().splitlines()]
    assert {record["kind"] for record in records} == {"account", *EXPORTED.values()}
    (labelling,) = (record for record in records if record["kind"] == "labelling")
    assert [each["rating"] for each in labelling["ratings"]] == [1, 1, 1]
    text = json.dumps(records)
    assert ADDRESS in text
    assert not {person.password, person.api_tokens.get().secret_hash, SECRET} & set(text.split('"'))


@pytest.mark.any_database
def test_every_row_that_names_somebody_is_exported_or_says_why_not():
    naming = [each for each in User._meta.get_fields(include_hidden=True) if isinstance(each, ManyToOneRel)]
    found = [f"{each.related_model._meta.label}.{each.field.name}" for each in naming]
    assert sorted(found) == sorted([*EXPORTED, *NOT_EXPORTED])


def test_the_export_does_not_tell_gold_from_work(person, make):
    before = [*personal_data.records(person)]
    Assignment.objects.filter(kind="work").update(kind="gold")
    Task.objects.update(is_gold=True)
    Labelling.objects.get().task.solution.golds.create(ratings=[1])
    assert [*personal_data.records(person)] == before


def test_everybody_may_read_what_is_kept_about_them_and_no_more(person, annotator, signed_in):
    answer = signed_in(annotator).get("/api/session/data/").getvalue().decode()
    assert '"username": "ada"' in answer
    assert NAME not in answer


@pytest.mark.parametrize("act", ["pseudonymise", "erase"])
def test_no_row_names_the_person(act, person, admin_client):
    answer = admin_client.post(f"/api/people/{person.pk}/{act}/", {"username": NAME})
    assert answer.status_code in {200, 204}, answer.content
    kept = everything()
    assert NAME.casefold() not in kept.casefold()
    assert ADDRESS not in kept
    assert Labelling.objects.count() == 1


def test_a_pseudonym_keeps_labels_together(person, admin):
    new = erasure.pseudonymise(person=person, now=timezone.now(), by=admin)
    person.refresh_from_db()
    assert (person.username, person.is_active, person.has_usable_password()) == (new, False, False)
    assert Labelling.objects.get().annotator == person
    assert not (person.api_tokens.exists() or person.drafts.exists())
    assert Change.objects.get(act=AuditAct.PSEUDONYMISE).name == new


def test_an_erased_persons_labels_count_and_are_nobodys(person, admin):
    round_ = Round.objects.get(number=0)
    erasure.erase(person=person, now=timezone.now(), by=admin)
    assert not User.objects.filter(pk=person.pk).exists()
    assert Labelling.objects.get().annotator is None
    assert [*Tally.objects.filter(round=round_).values_list("annotator", "done", "on_gold")] == [(None, 1, 0)]
    assert recounts.mend(round_.pk) == 0


def test_an_erased_persons_tasks_in_hand_go_back(person, annotator, now):
    round_ = Round.objects.get(number=0)
    accounts.add_members(phase=round_.phase, users=[annotator])
    annotator.memberships.update(is_let_in=True)
    for ahead in (1, 2):  # as the page does
        assert allocation.claim_next(phase=round_.phase, annotator=person, now=now, ahead=ahead)
    assert person.assignments.open().count() > 1
    erasure.erase(person=person, now=now)
    for _ in range(3):
        allocation.claim_next(phase=round_.phase, annotator=annotator, now=now)
        annotator.assignments.filter(submitted_at=None).update(submitted_at=now)
    with pytest.raises(allocation.NothingToClaim):
        allocation.claim_next(phase=round_.phase, annotator=annotator, now=now)


def test_decisions_of_erased_staff_stay(make, superuser, now):
    staff = [make.user(username=f"{NAME}-{number}", role="admin") for number in range(2)]
    for person in staff:
        make.gold(1, author=person)
        _, secret = invitations.invite(days=7, now=now, by=person)
        found = Invitation.objects.get(secret_hash=tokens.hashed(secret))
        invitations.accept(invitation=found, username=f"ed-{person.username[-1]}", password="xyz", now=now)
        erasure.erase(person=person, now=now, by=superuser)
    nobody = User.objects.get(pk=erasure.NOBODY)
    assert (nobody.username, nobody.is_active) == ("[erased]", False)
    assert Invitation.objects.filter(by=nobody).count() == 2


@pytest.mark.any_database
def test_the_account_that_stands_for_the_erased_is_not_among_people(person, admin_client):
    erasure.erase(person=person, now=timezone.now())
    listed = admin_client.get("/api/people/").json()["results"]
    assert "[erased]" not in {each["username"] for each in listed}
    assert admin_client.get(f"/api/people/{erasure.NOBODY}/data/").status_code == 404


def test_a_wrong_confirmation_name_is_refused(person, admin_client, refused):
    refused(admin_client.post(f"/api/people/{person.pk}/erase/", {"username": "xanthippa"}), 400, "invalid")
    person.refresh_from_db()
    assert person.is_active


@pytest.mark.parametrize("whom", ["admin", "superuser"])
@pytest.mark.parametrize("act", ["pseudonymise", "erase"])
def test_oneself_and_superusers_are_refused(act, whom, request, admin_client, superuser, refused):
    found = request.getfixturevalue(whom)
    answer = admin_client.post(f"/api/people/{found.pk}/{act}/", {"username": found.username})
    refused(answer, 409, "not_yours_to_change")


def test_a_role_with_the_persons_name_stays_in_the_log(make, admin):
    person = make.user(username="admin")
    audit.record(by=admin, act=AuditAct.CHANGE, on=person, before={"role": "admin"}, after={"people": ["admin"]})
    new = erasure.pseudonymise(person=person, now=timezone.now(), by=admin)
    line = Change.objects.get(act=AuditAct.CHANGE)
    assert (line.name, line.before, line.after) == (new, {"role": "admin"}, {"people": [new]})


@pytest.mark.parametrize("spelling", ["Zoé", "ZOÉ", "Zoe\N{COMBINING ACUTE ACCENT}", "Ｚoé"])
def test_every_spelling_of_the_name_goes(spelling, make, admin, now):
    sign_in.attempt(username=spelling, visitor=Visitor(ADDRESS), check=lambda: None, now=now)  # before there is a Zoé
    person = make.user(username="Zoé")
    sign_in.attempt(username=spelling, visitor=Visitor(ADDRESS), check=lambda: None, now=now)
    audit.record(by=admin, act=AuditAct.EXPORT, on=admin, before={"x": [{"annotators": [spelling]}]})
    audit.record(by=admin, act=AuditAct.EXPORT, on=admin, after={"annotator": spelling})
    new = erasure.pseudonymise(person=person, now=now, by=admin)
    failed = Change.objects.filter(act=AuditAct.FAIL_TO_SIGN_IN)
    assert [(line.name, line.after) for line in failed] == [(new, {}), (new, {})]
    lines = Change.objects.filter(act=AuditAct.EXPORT).order_by("at")
    assert [(line.before, line.after) for line in lines] == [
        ({"x": [{"annotators": [new]}]}, {}),
        ({}, {"annotator": new}),
    ]


@pytest.mark.parametrize(("name", "left"), [("zoe", ["Zoe", "new", "zoey"]), ("Zoe", ["new", "zoe", "zoey"])])
def test_similar_names_of_others_are_kept(name, left, make, admin, now):
    make.user(username="zoe")
    other = make.user(username="other")
    User.objects.filter(pk=other.pk).update(username="Zoe", name_key="zoe#2")
    audit.record(by=admin, act=AuditAct.ADD_MEMBERS, on=make.phase(), after={"people": ["Zoe", "zoe", "zoey"]})
    new = erasure.pseudonymise(person=User.objects.get(username=name), now=now, by=admin)
    told = Change.objects.get(act=AuditAct.ADD_MEMBERS).after["people"]
    assert ["new" if each == new else each for each in told] == left


def test_the_command(person, tmp_path, capsys):
    file = tmp_path / "person.jsonl"
    call_command("person", NAME, "--export", str(file))
    assert json.loads(file.read_text().splitlines()[0])["username"] == NAME
    call_command("person", NAME, "--erase")
    with pytest.raises(CommandError, match="nobody called"):
        call_command("person", NAME, "--pseudonymise")
