import pytest
from django.db import IntegrityError, connection, transaction

from annotate.models import Draft
from labeling.errors import is_taken
from labeling.models import Labelling, Report, User
from labeling.statements import Statement, insert, sent_together

PERSON = Statement("SELECT person.* FROM labeling_user person WHERE person.id = %(id)s", person=User)
WITH_REPORT = Statement(
    """
    SELECT person.*, report.*, %(number)s FROM labeling_user person
    LEFT JOIN labeling_report report ON report.annotator_id = person.id
    """,
    person=User,
    report=Report,
)


def columns(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_an_object_is_as_django_reads_it(annotator):
    (found,) = PERSON.first(id=annotator.pk)
    assert (found, columns(found)) == (annotator, columns(User.objects.get()))
    found.username = "ida"
    found.save()
    assert User.objects.get().username == "ida"


def test_missing_rows_are_none(annotator, outsider):
    assert PERSON.first(id=outsider.id) == (outsider,)
    outsider.delete()
    assert PERSON.rows(id=outsider.id) == []
    assert WITH_REPORT.rows(number=3) == [(annotator, None, 3)]


def test_values_of_each_kind_come_back(assignment, annotator, now):
    draft = Draft(
        task=assignment.task, annotator=annotator, version=2**40, content={"é": [1, None, "\\"]}, saved_at=now
    )
    insert(draft)
    same = Statement(
        "SELECT draft.* FROM annotate_draft draft WHERE draft.id = %(id)s AND draft.saved_at = %(at)s", draft=Draft
    )
    assert columns(same.first(id=draft.pk, at=now)[0]) == columns(draft)
    Statement("UPDATE annotate_draft SET content = %(content)s").execute(content=[{"è": 1}])
    assert Draft.objects.get().content == [{"è": 1}]


def test_a_new_object_is_inserted_as_django_does(labelling):
    again = Labelling(task=labelling.task, annotator=labelling.annotator, finish_reason="solution", history=[{"a": 1}])
    insert(again)
    assert columns(Labelling.objects.get(pk=again.pk)) == columns(again)
    assert again.created_at is not None
    again.finish_note = "later"
    again.save()
    assert Labelling.objects.get(pk=again.pk).finish_note == "later"


def test_a_violated_constraint_is_an_integrity_error(annotator):
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        insert(User(pk=annotator.pk, username="second"))
    assert is_taken(refused.value)
    assert User.objects.get().username == "ada"


def test_statements_sent_together_take_effect_together(annotator):
    renamed = Statement("UPDATE labeling_user SET username = %(name)s")
    with pytest.raises(IntegrityError) as refused, transaction.atomic(), sent_together():
        renamed.execute(name="ida")
        insert(User(pk=annotator.pk, username="second"))
        renamed.execute(name="eda")
    assert is_taken(refused.value)
    assert User.objects.get().username == "ada"
    with transaction.atomic(), sent_together():
        renamed.execute(name="ida")
        assert PERSON.first(id=annotator.pk)[0].username == "ida"
        renamed.execute(name="eda")
    assert User.objects.get().username == "eda"


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite keeps what it compiled anyway")
def test_a_statement_is_planned_once(annotator):
    for _ in range(7):
        PERSON.first(id=annotator.pk)
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        assert [sql for (sql,) in cursor.fetchall() if "labeling_user person WHERE" in sql]
