"""prm_training.data_releases: frozen labels that a stranger can open, with a card that says what they are."""

import hashlib
import json
import re
from collections import defaultdict
from functools import partial
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from labeling.data.exporting import FORMATS, LabelFilter, standing
from labeling.data.formats.labels.losses import OF_TRACES
from labeling.data.snapshots import NothingToFreeze
from labeling.jobs import lifecycle
from labeling.models import Case, Consensus, Guidelines, Problem
from labeling.rules.words import FileFormat
from prm_training.data_releases import archive, card
from prm_training.models import DataRelease, Import
from tests.making import kept_image


@pytest.fixture
def campaign(make, db):
    """Two people on one of three tasks: one labelling finds an error where the other doesn't."""
    phase = make.phase(make.user(username="ada"), name="Sums | and more", instructions="Be fair.")
    Guidelines.objects.get_or_create(phase=phase, version=1, defaults={"text": "Be fair."})
    first, *others = [make.task(phase, overlap=2) for _ in range(3)]
    for task, ratings in [(first, (1, -1)), (first, (1, 1, 1)), *((task, (1, 0, 1)) for task in others)]:
        make.labelling(task, *ratings, guidelines_version=1, annotator=make.user())
    return phase


def opened(run: DataRelease, folder: Path) -> Path:
    with run.file.open() as file, ZipFile(file) as packed:
        packed.extractall(folder)
    return folder / run.name


def content(run: DataRelease) -> bytes:
    with run.file.open() as file:
        return file.read()


def test_the_card_describes_the_labels_and_their_quality(campaign, make, tmp_path):
    source = Import.objects.create(
        name="sums.jsonl", file="x", file_format=FileFormat.SOLUTIONS, licence="MIT", provenance="https://example.org"
    )
    Problem.objects.update(origin=source.pk)
    run = make.released(name="sums-1", notes="*Ours.*", licence="CC-BY-4.0", file_formats=["prm800k", "trl", "parquet"])
    folder = opened(run, tmp_path)
    assert run.status == "done"
    assert run.card == json.loads((folder / "card.json").read_text())
    assert run.card["counts"]["labellings"] == 4
    assert run.card["agreement"]["tasks"] == 1
    assert run.card["annotators"] == 4
    readme = (folder / "README.md").read_text()
    assert readme == card.readme(run.card)
    for said in (
        'pretty_name: "sums-1"\nlicense: cc-by-4.0\n',
        "*Ours.*",
        "| Sums \\| and more | solutions | 4 | 1 |",
        "- [Sums \\| and more, version 1](guidelines/1.md)",
        "| sums.jsonl | MIT | https://example.org | 3 | 0 | 0 |",
        "0% (95 % interval 0% to 79%) of pairs",
        "**Label noise** is not known",
        "Of the chosen labels, 0 problems on a registered benchmark; 0 problems near one.",
        "Labels on benchmarks and near them are left out.",
    ):
        assert said in readme
    assert (folder / "guidelines" / "1.md").read_text() == "Be fair."
    assert "ada" not in readme


@pytest.mark.any_database
def test_a_format_that_holds_no_labelling_has_no_file(make, db):
    make.labelling(make.task(), None, annotator=make.user())
    run = make.released(file_formats=["prm800k", "trl"])
    whole, nothing = run.card["files"]
    assert (whole["records"], nothing["path"], nothing["records"], nothing["not_held"]) == (1, "", 0, {"labellings": 1})
    assert "| no file | TRL stepwise supervision | train | 0 | Labellings without a record" in card.readme(run.card)
    assert "config_name: trl" not in card.readme(run.card)


def test_texts_of_unknown_origin_are_counted(campaign, make):
    """Labellings from a browser have no origin, and need none."""
    source = Import.objects.create(name="sums.jsonl", file="x", file_format=FileFormat.SOLUTIONS)
    Problem.objects.filter(pk=Problem.objects.first().pk).update(origin=source.pk)
    known, unknown = sorted(make.released().card["origins"], key=lambda each: each["name"] == "Not known")
    assert (known["problems"], unknown["problems"], unknown["solutions"], unknown["labellings"]) == (1, 2, 3, 4)


def test_the_card_knows_every_reason_for_leaving_out(campaign):
    """The card has a phrase for each reason."""
    assert card.LEFT_OUT.keys() == standing.left_out(LabelFilter()).keys()


def test_images_that_traces_name_go_with_them(campaign, make, tmp_path):
    content = b"\x89PNG\r\n\x1a\n a seat map"
    digest, lost = kept_image(content), "0" * 64
    parts = [{"kind": "image", "image": digest, "is_context": True} for digest in (digest, lost)]
    turns = [{"parts": [{"kind": "text", "text": "Look."}, *parts]}]
    make.labelling(make.task(campaign, solution=make.solution(steps=["Look."], turns=turns)), 1)
    run = make.released(file_formats=["parquet", "trl"])
    folder = opened(run, tmp_path)
    assert [(path.name, path.read_bytes()) for path in (folder / "images").iterdir()] == [(f"{digest}.png", content)]
    assert run.card["images"] == {"copied": 1, "missing": 1}
    assert "by the SHA-256 that a part names; 1 of 2 are missing." in card.readme(run.card)
    assert f"images/{digest}.png" in (folder / "SHA256SUMS").read_text()
    assert not make.released(file_formats=["trl"]).card["images"], "no file names them"


@pytest.mark.any_database
def test_progress_is_reported_while_files_are_copied_and_packed(campaign, make, monkeypatch):
    """Images may be thousands: copied and packed, they take longer than the labels."""
    monkeypatch.setattr(archive, "REPORT_EVERY_FILES", 2)
    parts = [{"kind": "image", "image": f"{number:064}", "is_context": True} for number in range(5)]
    turns = [{"parts": [{"kind": "text", "text": "Look."}, *parts]}]
    make.labelling(make.task(campaign, solution=make.solution(steps=["Look."], turns=turns)), 1)
    told = defaultdict(list)
    archive.release(
        make.data_release(file_formats=["parquet"]),
        lambda *, stage, done, total, **_: told[stage].append((done, total)),
    )
    assert told["copying the images"] == [(0, 5), (2, 5), (4, 5)]
    *_, (done, total) = told["packing"]
    assert total - 2 <= done < total


@pytest.mark.any_database
def test_every_file_has_its_checksum_and_so_has_the_archive(campaign, make, tmp_path):
    run = make.released(name="sums-1", file_formats=sorted(FORMATS))
    folder = opened(run, tmp_path)
    sums = dict(reversed(line.split("  ", 1)) for line in (folder / "SHA256SUMS").read_text().splitlines())
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert sums.keys() == files - {"SHA256SUMS"}
    for path, digest in sums.items():
        assert hashlib.sha256((folder / path).read_bytes()).hexdigest() == digest
    stored = content(run)
    assert (hashlib.sha256(stored).hexdigest(), len(stored)) == (run.sha256, run.size)


@pytest.mark.any_database
@pytest.mark.parametrize(
    "file_formats", [["trl", name] for name in sorted(FORMATS) if name != "trl"] + [["parquet"]], ids="-".join
)
def test_datasets_opens_every_format_as_the_card_says(file_formats, campaign, make, tmp_path, monkeypatch):
    """Calls each `load_dataset` line of the card."""
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    run = make.released(file_formats=file_formats)
    monkeypatch.chdir(opened(run, tmp_path).parent)
    load = partial(datasets.load_dataset, cache_dir=str(tmp_path / "cache"))
    calls = re.findall(r"^labels = (load_dataset\(.*\))$", card.readme(run.card), re.MULTILINE)
    found = [{split: len(rows) for split, rows in eval(call, {"load_dataset": load}).items()} for call in calls]
    formats = {name: {} for name in file_formats}
    for file in run.card["files"]:
        assert file["records"] or file["format"] in OF_TRACES  # the campaign has no traces
        formats[file["format"]] |= {file["split"]: file["records"]} if file["records"] else {}
    assert found == [files for files in formats.values() if files]


def test_equal_labels_give_equal_files(campaign, make, tmp_path):
    one, other = (make.released(file_formats=["prm800k"]) for _ in range(2))
    written = [opened(run, tmp_path) / "prm800k" / "train.jsonl" for run in (one, other)]
    assert written[0].read_bytes() == written[1].read_bytes()


def test_it_holds_out_what_snapshots_hold_out(campaign, make, tmp_path):
    problem = Problem.objects.order_by("pk").first()
    Problem.objects.filter(pk=problem.pk).update(split="test")
    run = make.released(file_formats=["parquet"])
    assert run.card["splits"].keys() == {"train", "test"}
    problem.refresh_from_db()
    assert problem.held_out_at is None, "it is of split test already"
    assert Problem.objects.exclude(pk=problem.pk).filter(trained_on_at=None).count() == 0


@pytest.mark.any_database
def test_later_labels_change_nothing(campaign, make, tmp_path):
    run = make.released()
    before = content(run)
    make.labelling(make.task(campaign), 1, 1)
    assert content(DataRelease.objects.get()) == before


def test_only_the_chosen_labels_are_in_it(campaign, make):
    other = make.task(make.phase(name="Other"))
    make.labelling(other, 1, 1, 1)
    run = make.released(labels={"phases": [str(campaign.pk)]})
    assert [phase["name"] for phase in run.card["phases"]] == [campaign.name]
    assert run.card["counts"]["labellings"] == 4


def test_a_consensus_names_the_people_behind_it(campaign, make):
    run = make.released(labels={"consensus": "majority"})
    assert run.card["counts"]["consensuses"] == 1
    assert run.card["annotators"] == 4
    assert run.card["left_out"]["settled"] == 2


def test_without_labels_it_fails_and_says_so(make, db):
    run = make.data_release()
    with pytest.raises(NothingToFreeze):
        lifecycle.carry_out(run.pk, archive.release, worker="w")
    run.refresh_from_db()
    assert (run.status, run.error) == ("failed", "There are no labels to release.")


def test_a_cancelled_one_leaves_no_file(campaign, make):
    run = make.data_release()

    def cancelled(run, report):
        def cancel_at_the_end(**columns):
            if "file" in columns:
                DataRelease.objects.filter(pk=run.pk).update(cancel_requested_at=timezone.now())
            report(**columns)

        archive.release(run, cancel_at_the_end)

    lifecycle.carry_out(run.pk, cancelled, worker="w")
    run.refresh_from_db()
    assert (run.status, run.file.name, run.card) == ("cancelled", "", {})
    assert not run.file.storage.exists(f"releases/{run.pk}.zip")


def test_the_archive_of_a_dead_attempt_is_replaced(campaign, make):
    run = make.data_release()
    run.file.storage.save(f"releases/{run.pk}.zip", BytesIO(b"half"))
    lifecycle.carry_out(run.pk, archive.release, worker="w")
    run.refresh_from_db()
    assert run.file.name == f"releases/{run.pk}.zip"
    assert run.file.size == run.size


def test_names_are_unique(make, db):
    make.data_release(name="one")
    with pytest.raises(IntegrityError), transaction.atomic():
        make.data_release(name="one")


def test_rulings_are_compared_with_the_labellings_they_replace(campaign, make):
    task = campaign.rounds.get().tasks.order_by("pk").first()
    settled = {"outcome": "ratings", "by": make.user(role="admin"), "settled_at": timezone.now()}
    case = Case.objects.create(task=task, queue="disagreement", **settled)
    ruling = {"ratings": [1, -1], "confidence": [1, 1], "labellings": 2, "computed_at": timezone.now()}
    Consensus.objects.create(task=task, method="adjudicated", case=case, **ruling)
    run = make.released()
    assert run.card["counts"]["rulings"] == 1
    assert run.card["rulings"]["tasks"] == 1
    assert "Experts ruled on 1 solution" in card.readme(run.card)
