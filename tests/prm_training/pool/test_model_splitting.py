"""Imports whose texts a language model splits: requests, stored answers, previews and imported steps."""

import json
import re
import threading
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from labeling.completions.generator import GeneratorFailed
from labeling.data.formats.cutter import text_hash
from labeling.data.inspecting import model_splitting
from labeling.data.inspecting.model_splitting import NoSplitter
from labeling.jobs import lifecycle
from labeling.models import Run, Solution, StepAnswer
from labeling.rules.texts import cutting
from prm_training.models import Import
from prm_training.pool import importing
from tests.real_data import DATA

pytestmark = pytest.mark.django_db

TEXT = "We add. It is 8.\nWe double it.\nSo 16."


def record(number=1, text=TEXT):
    return {"problem": f"{number} + 1?", "generator": "g", "text": text, "answer": "8"}


def lines(*records):
    return "\n".join(json.dumps(each) for each in records).encode()


def said(*texts):
    """Answers of a chat endpoint, one after the other."""
    return [lambda handler, text=text: say(handler, text) for text in texts]


def say(handler, text):
    handler.reply(200, json.dumps({"choices": [{"message": {"content": text}}]}))


def fail(status):
    return lambda handler: handler.reply(status, "{}")


def carried_out(run):
    lifecycle.carry_out(run.pk, importing.import_file, worker="w")
    run.refresh_from_db()
    return run


def failed(run):
    with pytest.raises((GeneratorFailed, NoSplitter)):
        lifecycle.carry_out(run.pk, importing.import_file, worker="w")
    run.refresh_from_db()
    assert run.status == "failed"
    return run


def tried_again(run):
    Run.objects.filter(pk=run.pk).update(**lifecycle.QUEUED_AGAIN)
    return carried_out(run)


@pytest.fixture
def model(generator, settings, monkeypatch):
    monkeypatch.setattr(model_splitting, "PAUSES_SECONDS", (0, 0))
    settings.SPLITTER_URL, settings.SPLITTER_MODEL = generator.url, "divider"
    generator.answers = said('{"steps": [1, 3]}')
    return generator


@pytest.fixture
def inspected(stored, tmp_path):
    def make(*records, **fields):
        (file := tmp_path / "file").write_bytes(lines(*records or [record()]))
        head = importing.any_file.head(file)
        given = {"split_by": "model", "confirmed_at": None, "head": head}
        return carried_out(stored(file.read_bytes(), **given | fields))

    return make


@pytest.fixture
def confirmed(admin_client, broker):
    def act(run):
        answer = admin_client.post(f"/api/imports/{run.pk}/confirm/")
        assert answer.status_code == 200, answer.content
        return carried_out(run)

    return act


@pytest.fixture
def page(admin_client):
    return lambda run: admin_client.get(f"/api/imports/{run.pk}/").json()


def shown(body):
    return [each["steps"] for each in body["preview"]["records"]]


def kinds(doubts):
    return {doubt["kind"]: doubt for doubt in doubts}


STEPS = ["We add. It is 8.", "We double it.\nSo 16."]


def test_previewed_steps_are_imported_without_asking_again(model, inspected, confirmed, page, admin_client):
    run = inspected(record(), record(2))
    assert shown(page(run)) == [STEPS, STEPS]
    assert run.findings["steps"] == {"model": 2}
    assert page(run)["splitter"] == "divider"
    run = confirmed(run)
    assert [each.steps for each in Solution.objects.all()] == [STEPS, STEPS]
    (asked,) = model.asked
    assert (asked["model"], asked["temperature"], asked["address"]) == ("divider", 0, "/v1/chat/completions")
    assert "1 | We add.\n2 | It is 8.\n3 | We double it.\n4 | So 16." in asked["messages"][0]["content"]
    solution = admin_client.get(f"/api/pool/solutions/{Solution.objects.first().pk}/").json()
    origin = {name: solution["origin"][name] for name in ("split_by", "split_version", "split_model")}
    assert origin == {"split_by": "model", "split_version": cutting.VERSION, "split_model": "divider"}


def test_the_model_whose_steps_were_shown_stays_when_another_is_set(model, inspected, confirmed, settings):
    run = inspected()
    settings.SPLITTER_MODEL = "another"
    assert confirmed(run).split_model == "divider"
    assert len(model.asked) == 1


def test_steps_of_the_model_can_be_joined_by_hand(model, inspected, confirmed, page, admin_client, broker):
    run = inspected()
    where = {"line": 1, "text_hash": page(run)["preview"]["records"][0]["text_hash"], "step": 0}
    body = admin_client.post(f"/api/imports/{run.pk}/steps/", where, format="json").json()
    assert shown(body) == [[TEXT]]
    confirmed(carried_out(run))
    assert Solution.objects.get().steps == [TEXT]
    assert len(model.asked) == 1


def test_the_preview_says_that_the_model_has_not_answered_yet(model, stored, page, tmp_path):
    (file := tmp_path / "file").write_bytes(lines(record()))
    run = stored(file.read_bytes(), split_by="model", confirmed_at=None, head=importing.any_file.head(file))
    body = page(run)
    assert shown(body) == [["We add. It is 8.", "We double it.", "So 16."]]
    assert kinds(body["preview"]["doubts"])["unasked"]["count"] == 1
    assert model.asked == []


BAD = ["", "Steps 1 and 3.", '{"steps": []}', "[0, 1]", "[1, 5]", "[1] or [2]", "[-1]", "[1.5]", "[1,, 2]", "[9" * 9]


@pytest.mark.parametrize("answer", BAD)
def test_after_a_useless_answer_the_model_is_asked_once_more(model, inspected, answer, page):
    model.answers = said(answer, '```json\n{"steps": [3, 1, 3]}\n```')
    run = inspected()
    assert (shown(page(run)), len(model.asked), run.findings["steps"]) == ([STEPS], 2, {"model": 1})
    assert "from 1 to 4" in model.asked[1]["messages"][-1]["content"]


@pytest.mark.parametrize("answer", BAD)
def test_after_two_useless_answers_the_usual_rule_splits_the_text(model, inspected, confirmed, answer, page):
    model.answers = said(answer)
    run = inspected()
    (doubt,) = [each for each in run.findings["doubts"] if each["kind"] == "not_split"]
    assert (doubt["count"], doubt["examples"]) == (1, [{"line": 1, "text": TEXT}])
    assert "unasked" not in kinds(page(run)["preview"]["doubts"])
    run = confirmed(run)
    assert Solution.objects.get().steps == ["We add. It is 8.", "We double it.", "So 16."]
    assert (run.findings["steps"], len(model.asked)) == ({"lines": 1}, 2)
    assert kinds(run.findings["doubts"])["not_split"]["count"] == 1


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_text_that_the_endpoint_refuses_is_split_by_the_usual_rule(model, inspected, status):
    model.answers = [fail(status)]
    run = inspected()
    assert (run.status, len(model.asked)) == ("ready", 1)
    assert kinds(run.findings["doubts"])["not_split"]["count"] == 1


def test_an_endpoint_that_refuses_all_texts_fails_the_import_with_its_words(model, stored):
    model.answers = [lambda handler: handler.reply(400, 'No model "divider".\0')]
    run = failed(stored(lines(record(), record(2, f"{TEXT} Done.")), split_by="model"))
    assert (Solution.objects.count(), StepAnswer.objects.count()) == (0, 0)
    words = 'All 2 texts were refused. The generator answered with an error (400). It says: No model "divider".'
    assert words in run.error


@pytest.mark.parametrize("status", [401, 404, 429, 500])
def test_an_import_that_failed_with_its_endpoint_resumes_later(model, stored, status):
    model.answers = [fail(status)]
    run = failed(stored(lines(record()), split_by="model"))
    assert (Solution.objects.count(), StepAnswer.objects.count()) == (0, 0)
    assert str(status) in run.error
    model.answers = said("[1, 3]")
    assert tried_again(run).status == "done"
    assert Solution.objects.get().steps == STEPS


def test_texts_answered_before_a_failure_are_not_asked_about_again(model, stored, settings):
    settings.GENERATION_CALLS_AT_ONCE = 1
    model.answers = [*said("[1, 3]"), fail(500)]
    run = failed(stored(lines(record(), record(2, f"{TEXT} Done.")), split_by="model"))
    assert (StepAnswer.objects.count(), len(model.asked)) == (1, 4)
    model.answers = said("[1, 3]")
    assert tried_again(run).status == "done"
    assert len(model.asked) == 5


def test_two_who_ask_at_once_use_the_stored_answer(model):
    how = cutting.Cutting("model", model="divider")

    def another_asks():
        StepAnswer.objects.get_or_create(key=model_splitting._key(how, TEXT), defaults={"numbers": [1]})

    assert model_splitting.ask(how, [TEXT], another_asks) == {text_hash(TEXT): [1]}
    assert len(model.asked) == 1


def test_the_number_of_simultaneous_requests_is_limited(model, stored, settings):
    settings.GENERATION_CALLS_AT_ONCE = 3
    together = threading.Barrier(3)
    under_way, most = threading.Semaphore(3), []

    def answer(handler):
        most.append(under_way.acquire(blocking=False))
        together.wait(10)
        under_way.release()
        say(handler, "[1]")

    model.answers = [answer]
    run = carried_out(stored(lines(*[record(each, f"{TEXT} {each}.") for each in range(6)]), split_by="model"))
    assert (run.status, most) == ("done", [True] * 6)


def test_nothing_is_asked_about_bad_lines(model, stored):
    content = lines({"text": TEXT}, record(2, " "), record(3)) + b"\n{"
    run = carried_out(stored(content, split_by="model"))
    assert (run.status, run.counts["errors"], run.counts["solutions"], len(model.asked)) == ("done", 3, 1, 1)


def test_a_text_of_one_sentence_and_given_steps_need_no_answer(model, stored):
    given = {"problem": "5?", "generator": "g", "steps": ["We add. It is 8."]}
    run = carried_out(stored(lines(record(text="It is 8."), given), split_by="model"))
    assert (run.status, run.findings["steps"], model.asked) == ("done", {"model": 1, "given": 1}, [])


def test_cancelling_does_not_wait_for_a_slow_model(model, stored, monkeypatch, admin_client):
    monkeypatch.setattr(model_splitting, "LOOK_EVERY_SECONDS", 0.01)
    monkeypatch.setattr(importing, "REPORT_EVERY_SECONDS", 0)

    def slow(handler):
        handler.server.hurry.wait(20)
        say(handler, "[1]")

    def cancelled_once_asked(run, report):
        def heard(**columns):
            if model.asked:
                admin_client.post(f"/api/runs/{run.pk}/cancel/")
            report(**columns)

        importing.import_file(run, heard)

    model.answers = [slow]
    run = stored(lines(record()), split_by="model")
    lifecycle.carry_out(run.pk, cancelled_once_asked, worker="w")
    run.refresh_from_db()
    assert (run.status, Solution.objects.count()) == ("cancelled", 0)


def test_without_a_model_the_rule_is_refused_with_the_settings_that_name_one(upload, inspected, admin_client, page):
    answer = upload(lines(record()), split_by="model")
    assert answer.status_code == 400
    assert "SPLITTER_URL and SPLITTER_MODEL" in answer.json()["errors"]["split_by"][0]
    run = inspected(split_by="usual")
    assert page(run)["splitter"] == ""
    answer = admin_client.patch(f"/api/imports/{run.pk}/", {"split_by": "model"}, format="json")
    assert answer.status_code == 400


def test_a_worker_without_a_model_says_which_settings_name_one(stored):
    run = failed(stored(lines(record()), split_by="model"))
    assert "SPLITTER_URL and SPLITTER_MODEL" in run.error


def test_it_works_from_the_command_line(model, tmp_path, capsys):
    (path := tmp_path / "texts.jsonl").write_bytes(lines(record()))
    call_command("import", str(path), "--split-by", "model", "--preview")
    told = capsys.readouterr().out
    assert "1. We add. It is 8.\n  2. We double it. So 16." in told
    assert "split by a language model" in told
    call_command("import", str(path), "--split-by", "model")
    assert Solution.objects.get().steps == STEPS
    run = Import.objects.get()
    assert (run.split_by, run.split_model, run.split_version) == ("model", "divider", cutting.VERSION)
    assert len(model.asked) == 1


def test_the_command_line_refuses_it_without_a_model(tmp_path):
    (path := tmp_path / "texts.jsonl").write_bytes(lines(record()))
    with pytest.raises(CommandError, match="SPLITTER_URL and SPLITTER_MODEL"):
        call_command("import", str(path), "--split-by", "model")
    assert not Import.objects.exists()


CASES = DATA / "cases" / "splitting.jsonl"


def numbers_of(handler):
    return [int(each) for each in re.findall(r"^(\d+) \| ", handler.body["messages"][0]["content"], re.MULTILINE)]


ANSWERS = {
    "every part": lambda handler: str(numbers_of(handler)),
    "every other": lambda handler: str(numbers_of(handler)[1::2]),
    "out of range": lambda handler: str([*numbers_of(handler), 10**6]),
    "another text": lambda handler: handler.body["messages"][0]["content"][::-1],
    "a text with steps": lambda handler: json.dumps({"steps": ["We add.", "So 17."]}),
    "no text": lambda handler: None,
}


@pytest.mark.skipif(not CASES.is_file(), reason=f"there is no {CASES}")
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_no_answer_loses_or_changes_text(model, stored, answer):
    model.answers = [lambda handler: say(handler, answer(handler))]
    texts = [json.loads(line)["text"] for line in CASES.read_text().strip().split("\n")]
    run = carried_out(stored(lines(*[record(*each) for each in enumerate(texts)]), split_by="model"))
    assert (run.status, run.counts["solutions"]) == ("done", len(texts))
    for solution in Solution.objects.select_related("problem"):
        text = texts[int(solution.problem.statement.split()[0])]
        rest = text
        for step in solution.steps:
            lost, found, rest = rest.partition(step)
            assert (lost.strip(), found) == ("", step), text
        assert rest.strip() == ""


def test_answers_are_forgotten_after_a_month(model, inspected):
    inspected()
    now = timezone.now()
    importing.forget_unconfirmed(now=now + timedelta(days=29))
    assert StepAnswer.objects.count() == 1
    importing.forget_unconfirmed(now=now + timedelta(days=31))
    assert StepAnswer.objects.count() == 0
