"""benchmarks.workers: the estimate for more workers."""

from benchmarks.workers import makespan, on_paper


def test_one_worker_takes_the_sum():
    assert makespan([3.0, 1.0, 2.0], 1, 0.5) == 7.5


def test_workers_compute_side_by_side():
    assert makespan([2.0] * 8, 4, 0.0) == 4.0


def test_the_last_batch_is_waited_for():
    assert makespan([2.0] * 5, 4, 0.0) == 4.0


def test_more_workers_than_the_database_can_serve_do_not_help():
    assert makespan([1.0] * 100, 64, 0.5) == makespan([1.0] * 100, 32, 0.5) == 51.0


def test_the_report_names_the_bottleneck():
    run = {"batches": [{"solutions": 64, "seconds": 1.0}]}
    found = on_paper(run, 1.0, 64)
    assert (found["times_as_fast"], found["database_busy"]) == (9.0, 0.996)
    assert found["workers_that_fill_the_database"] == 9
