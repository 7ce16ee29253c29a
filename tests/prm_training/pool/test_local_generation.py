"""prm_training.pool.generation with a tiny local model, made in the test."""

import pytest

from labeling.jobs import lifecycle
from labeling.jobs.lifecycle import Interrupted
from labeling.models import Solution
from prm_training.prm import pretrain
from prm_training.work import training
from prm_training.worker import tasks

TINY = pretrain.PretrainConfig(vocabulary=300, hidden=16, layers=1, heads=2, steps=10, epochs=10)
SAMPLES = 4


@pytest.fixture(scope="module")
def writer(tmp_path_factory):
    folder = tmp_path_factory.mktemp("writer") / "base"
    pretrain.make_base([("What is 2 + 3?", ["2 + 3 = 5. " * 8])], folder, TINY)
    return str(folder)


@pytest.fixture
def run(make, writer):
    for _ in range(3):
        make.problem()
    return make.generation(generator_model=writer, samples=SAMPLES, max_tokens=12)


def generated(run, act=lambda pk: tasks.run("generate", str(pk))):
    act(run.pk)
    run.refresh_from_db()
    return run.summary


def test_it_works(run):
    summary = generated(run)
    assert (run.status, run.done, summary["problems"], summary["written"]) == ("done", 3, 3, 3 * SAMPLES)
    rows = Solution.objects.select_related("problem")
    assert 0 < len(rows) == summary["new"] == 3 * SAMPLES - summary.get("known", 0) - summary.get("unusable", 0)
    assert len({(row.problem, *row.steps) for row in rows}) == len(rows)
    assert {(row.source, row.in_pool) for row in rows} == {("generated", True)}


def test_equal_texts_count_once(run):
    run.temperature = 0
    run.save()
    summary = generated(run)
    assert (summary["new"], summary["known"]) == (3, 3 * (SAMPLES - 1))


@pytest.mark.any_database
def test_a_worker_that_is_stopped_leaves_the_rest_to_the_next(run):
    def stopped_at_the_second(run, report):
        def tell(**columns):
            if columns.get("done") == 2:
                raise Interrupted
            report(**columns)

        training.generate(run, tell)

    summary = generated(run, lambda pk: lifecycle.carry_out(pk, stopped_at_the_second, worker="first"))
    kept = set(Solution.objects.all())
    assert (run.status, summary["problems"], len(kept)) == ("queued", 1, summary["new"])
    summary = generated(run)
    assert (run.status, summary["problems"], summary["written"]) == ("done", 3, 3 * SAMPLES)
    assert kept < set(Solution.objects.all())
    assert summary["new"] == Solution.objects.count()
