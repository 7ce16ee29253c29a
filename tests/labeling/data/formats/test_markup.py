"""/api/pool/markup/: staff change how a source's texts are shown, and nothing else."""

import pytest

from labeling.models import Change, Problem, Solution

pytestmark = pytest.mark.django_db
ADDRESS = "/api/pool/markup/"


@pytest.fixture
def solutions(make):
    """Two solutions of source `ours`, one of another."""
    return [make.solution(source=source) for source in ("ours", "ours", "theirs")]


def markups(solutions):
    rows = Solution.objects.select_related("problem").in_bulk([row.pk for row in solutions])
    return [(rows[row.pk].problem.markup, rows[row.pk].markup) for row in solutions]


def test_it_works(admin_client, solutions):
    before = list(Problem.objects.values_list("statement").order_by("pk"))
    response = admin_client.post(ADDRESS, {"source": "ours", "markup": "code", "statement_markup": "markdown"})
    assert (response.status_code, response.json()["solutions"]) == (200, 2)
    assert markups(solutions)[:2] == [("markdown", "code")] * 2
    assert markups(solutions)[2][1] == "mathematics"
    assert list(Problem.objects.values_list("statement").order_by("pk")) == before
    line = Change.objects.get()
    assert (line.act, line.after["source"], line.after["markup"]) == ("change", "ours", "code")


def test_markup_not_given_stays(admin_client, solutions):
    response = admin_client.post(ADDRESS, {"source": "ours", "markup": "plain"})
    assert response.json() == {"solutions": 2, "problems": 0}
    assert markups(solutions)[0] == ("mathematics", "plain")


def test_twice_changes_nothing_more(admin_client, solutions):
    admin_client.post(ADDRESS, {"source": "ours", "markup": "plain"})
    assert admin_client.post(ADDRESS, {"source": "ours", "markup": "plain"}).json()["solutions"] == 0


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"source": "nobody's", "markup": "code"}, 404),
        ({"source": "ours", "markup": "html"}, 400),
        ({"markup": "code"}, 400),
        ({"source": "ours", "look": "code"}, 400),
    ],
)
def test_it_refuses(admin_client, solutions, body, status):
    assert admin_client.post(ADDRESS, body).status_code == status
    assert set(Solution.objects.values_list("markup", flat=True)) == {"mathematics"}


def test_it_is_for_staff(annotator_client, outsider_client, ml_staff_client, solutions):
    for client, status in [(annotator_client, 403), (outsider_client, 403), (ml_staff_client, 200)]:
        assert client.post(ADDRESS, {"source": "ours", "markup": "code"}).status_code == status


def test_signed_out(signed_out_client, solutions):
    assert signed_out_client.post(ADDRESS, {"source": "ours", "markup": "code"}).status_code == 401
