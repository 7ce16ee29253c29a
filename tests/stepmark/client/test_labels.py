"""The labels as they stand: records, data frames, data sets."""

import httpx
import pytest

import stepmark
from stepmark.client import labels


@pytest.fixture
def labelled(make, annotator, second_annotator):
    make.labelling(make.task(number=1), 1, -1, annotator=annotator, finish_reason="found_error")
    make.labelling(make.task(number=2), 1, None, 1, annotator=second_annotator)


def ratings(records):
    return sorted((record["ratings"] for record in records), key=len)


def test_they_are_records(client, labelled):
    records = list(client.labels())
    assert ratings(records) == [[1, -1], [1, None, 1]]
    assert {len(record["steps"]) for record in records} == {3}
    assert set(records[0]) == set(labels.LabelRecord.__annotations__)


def test_of_one_phase(client, labelled, make):
    assert list(client.labels(phase=str(make.phase().pk))) == []


def test_in_another_format(client, labelled):
    assert sorted(record["labels"] for record in client.labels(format="trl")) == [[True], [True, False]]


def test_choices_are_those_of_exports(client, labelled):
    with pytest.raises(stepmark.BadRequest) as refused:
        list(client.labels(split="nowhere"))
    assert set(refused.value.errors) == {"split"}


def test_parquet_is_refused(client):
    with pytest.raises(stepmark.StepmarkError, match="Parquet"):
        client.labels(format="parquet")


def test_a_download_that_broke_off_starts_again(client, server, labelled):
    class Broken(httpx.SyncByteStream):
        def __iter__(self):
            yield b"PK half an archive"
            raise httpx.ReadError("the line broke")

    server.failures = [httpx.Response(200, stream=Broken())]
    assert ratings(client.labels()) == [[1, -1], [1, None, 1]]


@pytest.mark.parametrize(("method", "name"), [("to_pandas", "pandas"), ("to_dataset", "datasets")])
def test_a_missing_library_is_named(client, labelled, monkeypatch, method, name):
    monkeypatch.setitem(__import__("sys").modules, name, None)
    with pytest.raises(stepmark.StepmarkError, match=f"^This needs {name}: pip install {name}.$"):
        getattr(client.labels(), method)()


@pytest.mark.parametrize("file_format", ["records", "prm800k", "trl"])
def test_records_make_one_table(client, labelled, file_format):
    """Dataset.from_list makes an Arrow table of them, with the columns of the first."""
    pyarrow = pytest.importorskip("pyarrow")
    found = client.labels(format=file_format)
    table = pyarrow.Table.from_pylist(client.connection.do(found._all()))
    assert table.num_rows == 2
    assert set(table.column_names) == {name for record in found for name in record}


def test_to_pandas(client, labelled):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = client.labels().to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert (len(frame), set(frame.columns)) == (2, set(labels.LabelRecord.__annotations__))
    assert sorted(map(len, frame["ratings"])) == [2, 3]


def test_to_dataset(client, labelled, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    pytest.importorskip("datasets", reason="Hugging Face's datasets is not installed")
    found = client.labels().to_dataset()
    assert sorted(map(len, found["ratings"])) == [2, 3]
    assert found.column_names == list(labels.LabelRecord.__annotations__)


def step(*texts, chosen=None, human=None):
    given = [{"text": text, "rating": number} for number, text in enumerate(texts)]
    return {"completions": given or None, "chosen_completion": chosen, "human_completion": human}


@pytest.mark.parametrize(
    ("steps", "solution", "expected"),
    [
        ([step("a", "b", chosen=1)], None, (["b"], [1])),
        ([step("a", "b"), step(human={"text": "h", "rating": 1})], None, (["a", "h"], [0, 1])),
        ([step("a", "b")], ["b", "c"], (["b", "c"], [1])),
        ([step("x", human={"text": "h", "rating": None})], None, (["h"], [None])),
    ],
    ids=["chosen", "written by hand", "the solution's own", "an own one in place of those"],
)
def test_a_record_follows_one_path(steps, solution, expected):
    question = {"problem": "?", "pre_generated_steps": solution}
    record = labels.plain({"question": question, "label": {"steps": steps}})
    assert (record["steps"], record["ratings"]) == expected
