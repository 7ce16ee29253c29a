"""labeling.jobs.files: machines without a common disk exchange files through a storage."""

import json
import shutil
import tarfile
from io import BytesIO

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from labeling.jobs import lifecycle
from labeling.models import Solution
from prm_training.models import EvaluationRun, Import, Score
from prm_training.pool import importing
from prm_training.prm import pretrain
from prm_training.work import evaluation, scoring, training

TINY = pretrain.PretrainConfig(vocabulary=300, hidden=16, layers=1, heads=2, steps=2, epochs=1)


@pytest.fixture(autouse=True)
def bucket(settings, tmp_path):
    memory = {"BACKEND": "django.core.files.storage.InMemoryStorage"}
    settings.STORAGES = settings.STORAGES | {"default": memory}
    settings.MODELS_ROOT = tmp_path / "models"


def carry_out(kind, run, act):
    lifecycle.carry_out(run.pk, act, worker="here")
    run.refresh_from_db()
    assert (run.status, run.error) == ("done", "")
    return run


def test_a_model_trained_on_one_machine_works_on_another(make, tmp_path, settings, ml_staff_client):
    base = tmp_path / "base"
    pretrain.make_base([("What is 2 + 3?", ["2 + 3 = 5.", "The answer is 5."])], base, TINY)
    for number in range(6):
        make.labelling(make.task(), 1, -1 if number % 2 else 0)
    columns = {"base": str(base), "settings": {"epochs": 1, "seed": 1}}
    run = carry_out("train", make.training_run(**columns), training.train)
    trained = settings.MODELS_ROOT / run.reward_model.directory
    weights = (trained / "model.safetensors").read_bytes()
    settings.MODELS_ROOT = tmp_path / "another machine"
    carry_out("evaluate", EvaluationRun.objects.get(), evaluation.evaluate)
    carry_out("score", make.scoring_run(reward_model=run.reward_model), scoring.score)
    assert Score.objects.count() == Solution.objects.in_pool().count()
    shutil.rmtree(settings.MODELS_ROOT)
    answer = ml_staff_client.get(f"/api/reward-models/{run.reward_model.pk}/download/")
    with tarfile.open(fileobj=BytesIO(answer.getvalue())) as archive:
        (name,) = (name for name in archive.getnames() if name.endswith("model.safetensors"))
        assert archive.extractfile(name).read() == weights
    assert [path.name for path in (settings.MODELS_ROOT / run.reward_model.directory).parent.iterdir()] == ["model"]


def test_the_files_of_a_dead_attempt_are_replaced(make, settings):
    folder = settings.MODELS_ROOT / "run" / "model"
    folder.mkdir(parents=True)
    for text in ("half", "whole"):
        (folder / "config.json").write_text(text)
        training.files.share_model("run/model")
    shutil.rmtree(settings.MODELS_ROOT)
    assert (training.files.model_folder("run/model") / "config.json").read_text() == "whole"
    assert not training.files.model_folder("another run/model").exists()


@pytest.mark.django_db
def test_an_upload_reaches_the_worker():
    solution = {"problem": "1 + 1?", "reference_answer": "2", "generator": "g", "id": "s", "steps": ["A: 2"]}
    run = Import(name="new.jsonl", file_format="solutions", confirmed_at=timezone.now())
    run.file.save("new.jsonl", ContentFile(json.dumps(solution).encode()))
    run = carry_out("import", run, importing.import_file)
    assert run.counts["solutions"] == 1
    assert not run.file.storage.exists(run.file.name)
