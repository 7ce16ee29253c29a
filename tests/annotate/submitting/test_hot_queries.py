"""Claims and submissions send few statements, always the same, and none that counts rows."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from labeling.models import Phase, Task

RATINGS = [{"step": 0, "rating": 1}, {"step": 1, "rating": -1}]
SENT = {"ratings": RATINGS, "finish_reason": "found_error", "ahead": True}
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")
rewrites_rows = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="no other database writes a changed row anew"
)
has_server = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no server")


def statements(act):
    """Returns the first words of each statement that reads or writes, in order."""
    with CaptureQueriesContext(connection) as sent:
        answer = act()
    assert answer.status_code == 200, answer.content
    return answer.json(), [row["sql"] for row in sent if not row["sql"].startswith(TRANSACTION)]


@pytest.fixture
def labelling(make, phase, annotator_client):
    """Claims three tasks of a long round, labels some, and returns the next submission's statements."""

    def act(**settings):
        Phase.objects.filter(pk=phase.pk).update(**settings)
        for _ in range(5):
            make.gold(1, -1, gold_set="hidden")
        make.round(phase, 30, overlap=2)
        claim = f"/api/phases/{phase.pk}/claim/"
        body = annotator_client.post(claim).json()
        for ahead in (1, 2):
            annotator_client.post(claim, {"ahead": ahead})
        for _ in range(13):
            address = f"/api/assignments/{body['assignment']['id']}/submit/"
            body, sent = statements(lambda at=address: annotator_client.post(at, SENT))
            body["assignment"] = body["next"]["assignment"]
        return body, sent

    return act


def test_statements_of_a_claim(labelling, make, phase, second_annotator_client):
    make.round(phase, 30, overlap=2)
    second_annotator_client.post(f"/api/phases/{phase.pk}/claim/")
    _, sent = statements(lambda: second_annotator_client.post(f"/api/phases/{phase.pk}/claim/", {"ahead": 1}))
    # Session, user; member, phase and rounds; own seats, a free one taken; its content.
    assert len(sent) == 6


def test_statements_of_a_submission_with_tasks_ahead_and_progress(labelling):
    body, sent = labelling()
    assert len(body["ahead"]) == 2
    # Session, user; seat, draft, seat, labelling, tally; own seats, one renewed, a free one taken; contents; progress.
    # Ratings are written separately: by COPY, or one statement that Django does not see.
    ratings = [sql for sql in sent if "ratedcompletion" in sql]
    assert len(sent) - len(ratings) == 12


@has_server
def test_a_submission_makes_thirteen_round_trips_to_the_database(labelling, annotator_client, tmp_path):
    """All writes share one round trip."""
    body, _ = labelling()
    server = connection.connection.pgconn
    messages = tmp_path / "messages"
    with messages.open("w") as file:
        server.trace(file.fileno())
        sent = annotator_client.post(f"/api/assignments/{body['assignment']['id']}/submit/", SENT)
        server.untrace()
    assert sent.status_code == 200
    assert messages.read_text().count("ReadyForQuery") == 13


def test_statements_of_a_draft(assignment, annotator_client):
    address = f"/api/assignments/{assignment.pk}/draft/"
    annotator_client.post(f"/api/assignments/{assignment.pk}/renew/")
    for version in (1, 2):
        draft = {"ratings": RATINGS, "version": version}
        _, sent = statements(lambda sent=draft: annotator_client.put(address, sent))
        assert len(sent) == 4  # session, user; seat, draft


def test_hidden_gold_costs_the_same_statements(labelling):
    _, sent = labelling(gold_set="hidden", gold_rate=0.1)
    assert Task.objects.filter(is_gold=True).count() == 4
    assert len([sql for sql in sent if "ratedcompletion" not in sql]) == 12


def test_nothing_counts_the_round(labelling):
    """The only statement that counts rows counts one's own new answers."""
    _, sent = labelling()
    (counting,) = [sql for sql in sent if "COUNT(" in sql]
    assert counting.count("COUNT(*) FROM labeling_report") == counting.count("COUNT(") == 1


def test_slow_numbers_are_cached_for_some_submissions(labelling, phase, annotator):
    body, _ = labelling()
    kept = phase.memberships.get(user=annotator).figures
    assert (kept["total"], body["progress"]["total"]) == (9, 13)
    assert kept["median_ms"] == body["progress"]["median_ms"]


@pytest.fixture
def updates(db):
    """Returns how many rows of a table this transaction updated, and how many of them without touching an index. Starts
    with empty pages: where other tests' rolled-back rows leave no room, a row moves to another page.
    """
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE labeling_tally, labeling_assignment CASCADE")

    def of(table):
        with connection.cursor() as cursor:
            columns = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_xact_user_tables WHERE relname = %s"
            cursor.execute(columns, [table])
            return cursor.fetchone()

    return of


@rewrites_rows
def test_a_renewal_touches_no_index(updates, assignment, annotator_client):
    before = updates("labeling_assignment")
    for _ in range(5):
        annotator_client.post(f"/api/assignments/{assignment.pk}/renew/")
    changed, hot = (now - then for now, then in zip(updates("labeling_assignment"), before, strict=True))
    assert (changed, hot) == (5, 5)


@rewrites_rows
def test_updating_a_tally_touches_no_index(updates, labelling):
    labelling()
    changed, hot = updates("labeling_tally")
    assert changed == hot > 10
