"""Equal texts are one solution with several samples; each source counts its own."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest

from labeling.campaign import gold
from labeling.data import importing
from labeling.data.importing import pool
from labeling.models import Gold, Problem, Sample, Solution
from tests.real_data import DATA

pytestmark = pytest.mark.django_db


def record(text="So 5.", generator="small", **fields):
    return {"problem": "2 + 3?", "reference_answer": "5", "generator": generator, "steps": [text]} | fields


@pytest.fixture
def imported(tmp_path):
    def run(*records, **options):
        path = tmp_path / f"{uuid4()}.jsonl"
        path.write_text("\n".join(map(json.dumps, records)))
        return importing.import_solutions(path, **{"source": "a", "origin": uuid4()} | options)

    return run


def counts(report):
    return report.solutions, report.draws, report.shared, report.duplicates


def drawn(**of):
    """Returns the number of draws by text and generator."""
    rows = Sample.objects.filter(repeat=0, **of).values_list("solution__steps", "generator")
    return sorted((*steps, generator) for steps, generator in rows)


FIVE = [record(id=f"s{number}") for number in range(3)] + [
    record(generator="large", id="s9"),
    record("So 6.", id="s10"),
]
DRAWN = [("So 5.", "large"), *[("So 5.", "small")] * 3, ("So 6.", "small")]


@pytest.mark.parametrize("ids", [True, False])
def test_every_draw_counts_by_generator(imported, ids):
    report = imported(*({key: each[key] for key in each if ids or key != "id"} for each in FIVE))
    assert counts(report) == (2, 5, 0, 0)
    assert drawn() == DRAWN
    numbers = {solution.steps[0]: Sample.objects.numbers()[solution.pk] for solution in Solution.objects.all()}
    assert numbers == {"So 5.": 4, "So 6.": 1}


def test_the_case_has_seven_samples(tmp_path):
    path = DATA / "cases" / "i28_same_samples.jsonl"
    if not path.exists():
        pytest.skip("needs cases/i28_same_samples.jsonl (see STEPMARK_DATA)")
    assert counts(importing.import_solutions(path, source="a")) == (2, 7, 0, 0)
    found = Sample.objects.values_list("generator", flat=True)
    assert sorted(found) == ["other-70b", *["toy-7b"] * 6]


@pytest.mark.parametrize("ids", [True, False])
@pytest.mark.parametrize("origins", [True, False])
@pytest.mark.parametrize("size", [1, 2, 2000])
def test_the_same_file_again_adds_nothing(imported, monkeypatch, ids, origins, size):
    monkeypatch.setattr("labeling.data.importing.reading.BATCH", size)
    rows = [{key: each[key] for key in each if ids or key != "id"} for each in FIVE]
    given = {} if origins else {"origin": None}
    imported(*rows, **given)
    assert counts(imported(*rows, **given)) == (0, 0, 0, 5)
    assert drawn() == DRAWN


def test_a_longer_file_adds_what_is_new(imported):
    imported(record(), record())
    assert counts(imported(*[record()] * 5)) == (0, 3, 0, 2)


def test_other_ids_are_other_draws(imported):
    imported(record(id="a"), record(id="b"))
    assert counts(imported(record(id="b"), record(id="c"))) == (0, 1, 0, 1)
    assert len(drawn()) == 3


@pytest.mark.parametrize("ids", [True, False])
@pytest.mark.parametrize("stored", range(1, 6))
def test_an_interrupted_import_counts_each_draw_once(imported, monkeypatch, ids, stored):
    """True whatever was stored, and whether or not the second attempt has the first one's origin."""
    monkeypatch.setattr("labeling.data.importing.reading.BATCH", 1)
    rows = [{key: each[key] for key in each if ids or key != "id"} for each in FIVE]
    for origin, own in ((uuid4(), 5), (None, 5 - stored)):
        imported(*rows[:stored], origin=origin, source=str(origin))
        report = imported(*rows, origin=origin, source=str(origin))
        assert (report.draws, report.duplicates) == (own, 5 - own)
        assert drawn(source=str(origin)) == DRAWN


def test_a_batch_that_is_stored_in_halves_keeps_its_numbers(imported, monkeypatch):
    """A bad record fails its batch, which is then stored in halves."""
    grade = pool.grader.grade

    def failing(answer, reference, by):
        if answer == "bad":
            raise ValueError("bad")
        return grade(answer, reference, by)

    monkeypatch.setattr(pool.grader, "grade", failing)
    rows = [record(), record(), record("No.", answer="bad"), record(), record(), record()]
    report = imported(*rows)
    assert (counts(report), report.error_count) == ((1, 5, 0, 0), 1)
    assert sorted(Sample.objects.values_list("draw", flat=True)) == [0, 1, 2, 3, 4]
    assert counts(imported(*rows)) == (0, 0, 0, 5)


def test_two_sources_hold_the_same_solutions(imported, make):
    imported(*FIVE)
    report = imported(*FIVE, source="b")
    assert counts(report) == (0, 5, 2, 0)
    assert drawn(source="a") == drawn(source="b") == DRAWN
    assert (Problem.objects.count(), Solution.objects.count()) == (1, 2)
    for source in "ab":
        phase = make.phase(sources=[source])
        assert Solution.objects.drawn_by(phase).count() == 2
        assert sum(Sample.objects.drawn_by(phase).numbers().values()) == 5


def test_a_phase_draws_a_source_and_a_generator_of_the_same_sample(imported, make):
    imported(record(generator="small"))
    imported(record(generator="large"), source="b")
    assert not Solution.objects.drawn_by(make.phase(sources=["a"], generators=["large"])).exists()
    assert Solution.objects.drawn_by(make.phase(sources=["b"], generators=["large"])).count() == 1


def test_a_text_known_from_its_labels_joins_the_pool(imported, make):
    imported(record())
    Sample.objects.all().delete()
    Solution.objects.update(in_pool=False)
    assert counts(imported(record())) == (0, 1, 1, 0)
    assert Solution.objects.in_pool().count() == 1


def test_an_old_version_of_a_problem_stays_out_of_the_pool(imported, make):
    imported(record())
    Problem.objects.update(replaced_by=make.problem())
    Solution.objects.update(in_pool=False)
    imported(record(), source="b")
    assert not Solution.objects.in_pool().exists()


def test_known_texts_cost_the_same_queries_whatever_their_number(imported, django_assert_max_num_queries):
    for number in (20, 200):
        rows = [record(f"So {each}.") for each in range(number)]
        imported(*rows, source=f"first {number}")
        with django_assert_max_num_queries(14):
            imported(*rows, source=f"second {number}")


@pytest.fixture
def campaigns(imported, make):
    """Two phases that share a solution; an expert of the first is an annotator in the second."""
    imported(record("Shared."), record("Mine."), source="a")
    imported(record("Shared."), record("Theirs."), source="b")
    phases = [make.phase(name=name, sources=[name], gold_set=f"gold of {name}") for name in "ab"]
    expert = make.user()
    phases[0].memberships.create(user=expert, role="expert")
    return phases, expert, {row.steps[0]: row for row in Solution.objects.all()}


def seen(rows):
    return {solution.steps[0] for solution in rows}


def test_an_expert_sees_what_their_own_phase_shares_and_nothing_else_of_the_other(campaigns, make):
    (_, other), expert, of = campaigns
    make.task(other, solution=of["Shared."])
    make.task(other, solution=of["Theirs."])
    make.gold(1, solution=of["Shared."], gold_set="gold of b")
    assert seen(Solution.objects.visible_to(expert)) == {"Shared.", "Mine."}
    assert not Gold.objects.visible_to(expert).exists()


def test_solutions_that_an_expert_labels_elsewhere_stay_hidden(campaigns, make):
    (_, other), expert, of = campaigns
    other.memberships.create(user=expert, role="annotator")
    make.task(other, solution=of["Shared."])
    assert seen(Solution.objects.visible_to(expert)) == {"Mine."}


def test_solutions_published_in_one_phase_can_be_selected_in_another(campaigns, make, now):
    (own, other), _, of = campaigns
    make.task(other, solution=of["Shared."])
    rows = Solution.objects.in_pool().drawn_by(own).not_published_in(own, at=now + timedelta(days=9999))
    assert seen(rows) == {"Shared.", "Mine."}


def test_hidden_gold_is_drawn_from_the_phases_own_samples(campaigns, make):
    (own, other), _, of = campaigns
    for solution in of.values():
        make.gold(1, solution=solution, gold_set="gold")
    for phase, texts in ((own, {"Shared.", "Mine."}), (other, {"Shared.", "Theirs."})):
        assert {each.solution.steps[0] for each in gold.drawn(phase=phase, gold_set="gold")} == texts


def test_an_expert_learns_no_source_of_another_campaign(campaigns, signed_in, admin_client):
    _, expert, _ = campaigns
    rows = signed_in(expert).get("/api/solutions/").json()["results"]
    assert ({row["source"] for row in rows}, len(rows)) == ({""}, 2)
    for client, numbers in ((signed_in(expert), (2, 0)), (admin_client, (2, 2))):
        found = (client.get(f"/api/solutions/?source={source}").json()["results"] for source in "ab")
        assert tuple(map(len, found)) == numbers
