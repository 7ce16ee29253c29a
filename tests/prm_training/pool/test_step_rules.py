"""/api/imports/: the rule that cuts texts into steps, and steps that are changed by hand."""

import json

import pytest

from labeling.jobs import lifecycle
from labeling.models import Solution
from labeling.rules.texts import cutting
from labeling.rules.words import StepRule
from prm_training.api.files.imports import OPTIONS
from prm_training.models import Import
from prm_training.pool import importing

pytestmark = pytest.mark.django_db

TEXT = "We add. It is 8.\n\nSo 8."


def record(number=1, text=TEXT):
    return {"problem": f"{number} + 1?", "generator": "g", "text": text, "answer": "8"}


def lines(*records):
    return "\n".join(json.dumps(each) for each in records).encode()


def carried_out(run):
    lifecycle.carry_out(run.pk, importing.import_file, worker="w")
    run.refresh_from_db()
    return run


@pytest.fixture
def inspected(stored, tmp_path):
    """Stores a file as an upload does, and inspects it."""

    def make(*records, **fields):
        (file := tmp_path / "file").write_bytes(b"".join(records) or lines(record()))
        head = importing.any_file.head(file)
        return carried_out(stored(file.read_bytes(), confirmed_at=None, head=head, **fields))

    return make


@pytest.fixture
def page(admin_client):
    """Sends a request about an import. Returns the response's body."""

    def send(run, method="get", path="", code=200, **body):
        answer = getattr(admin_client, method)(f"/api/imports/{run.pk}/{path}", body, format="json")
        assert answer.status_code == code, answer.content
        run.refresh_from_db()
        return answer.json()

    return send


def first(body):
    return body["preview"]["records"][0]


def steps_of_all():
    return [each.steps for each in Solution.objects.order_by("problem__statement")]


def test_a_file_is_cut_by_the_rule_that_is_chosen(upload, broker):
    answer = upload(lines(record()), split_by="sentences")
    run = carried_out(Import.objects.get(pk=answer.json()["id"]))
    assert steps_of_all() == [["We add.", "It is 8.", "So 8."]]
    assert (run.split_by, run.split_version, run.findings["steps"]) == ("sentences", cutting.VERSION, {"sentences": 1})


@pytest.mark.parametrize("mark", ["@@", " @@ ", ".*"])
@pytest.mark.parametrize("rule", [{"split_by": "mark"}, {}])  # a mark alone means its rule
def test_a_mark_is_kept_as_it_was_given(upload, broker, mark, rule):
    answer = upload(lines(record(text=f"We add.{mark}So 8.")), **rule, mark=mark)
    run = carried_out(Import.objects.get(pk=answer.json()["id"]))
    assert (run.mark, steps_of_all()) == (mark, [["We add.", "So 8."]])


@pytest.mark.parametrize("fields", [{"split_by": "words"}, {"mark": "x" * 51}])
def test_an_unknown_rule_is_refused(upload, fields):
    assert upload(lines(record()), **fields).status_code == 400


def test_another_rule_shows_at_once_and_inspects_again(inspected, page, broker):
    run = inspected()
    assert run.findings["step_counts"] == {"smallest": 2, "median": 2, "largest": 2, "single": 0}
    body = page(run, "patch", split_by="thinking")
    assert (first(body)["steps"], body["findings"], run.status) == ([TEXT[:16], "So 8."], None, "queued")
    body = page(carried_out(run), "patch", split_by="numbered")
    assert first(body)["steps"] == [TEXT]
    assert carried_out(run).findings["step_counts"] == {"smallest": 1, "median": 1, "largest": 1, "single": 1}


def test_a_changed_mark_alone_implies_its_rule(inspected, page, broker):
    body = page(inspected(lines(record(text="We add.@@So 8."))), "patch", mark="@@")
    assert body["split_by"] == "mark"
    assert first(body)["steps"] == ["We add.", "So 8."]
    assert body["findings"] is None


@pytest.mark.parametrize("rule", sorted({*StepRule} - {StepRule.MODEL}))
def test_options_may_be_sent_back_as_they_are_read(inspected, page, broker, rule):
    run = inspected(lines(record(text="We add.@@So 8.")))
    page(run, "patch", mark="@@")
    changed = page(run, "patch", split_by=rule)  # which leaves another rule's mark behind
    options = {name: changed[name] for name in OPTIONS}
    assert (options["split_by"], options["mark"]) == (rule, "@@" if rule == StepRule.MARK else "")
    again = page(run, "patch", **options)
    assert {name: again[name] for name in OPTIONS} == options


def test_a_mark_with_another_rule_is_refused(inspected, upload, page, broker):
    run = inspected(lines(record(text="We add.@@So 8.")))
    answers = [
        page(run, "patch", code=400, mark="@@", split_by="usual"),
        upload(lines(record()), mark="@@", split_by="lines").json(),
    ]
    assert [list(body["errors"]) for body in answers] == [["mark"], ["mark"]]
    assert (run.split_by, run.mark) == ("usual", "")


def test_findings_count_the_steps(inspected):
    texts = ["a", "a\n\nb", "c", "a\n\nb\n\nc", "a\n\nb\n\nc\n\nd"]
    run = inspected(lines(*[record(number, text) for number, text in enumerate(texts)]))
    assert run.findings["step_counts"] == {"smallest": 1, "median": 2, "largest": 4, "single": 2}


def test_twenty_records_are_previewed(inspected, page):
    run = inspected(lines(*[record(number) for number in range(25)]))
    assert len(page(run)["preview"]["records"]) == 20


def test_given_steps_are_cut_by_no_rule(inspected, page, broker):
    run = inspected(lines({"problem": "1?", "generator": "g", "steps": ["a. B", "c"]}), split_by="sentences")
    shown = first(page(run))
    assert (shown["steps"], shown["text_hash"], run.findings["steps"]) == (["a. B", "c"], "", {"given": 1})


def test_steps_are_joined_and_cut_by_hand(inspected, page, broker):
    run = inspected(lines(record(), record(2)))
    shown = first(page(run))
    where = {"line": 1, "text_hash": shown["text_hash"]}
    joined = first(page(run, "post", "steps/", step=0, **where))
    assert (joined["steps"], joined["is_cut_by_hand"], run.status) == ([TEXT], True, "queued")
    cut = page(run, "post", "steps/", step=0, at=8, **where)
    assert first(cut)["steps"] == ["We add.", "It is 8.\n\nSo 8."]
    assert cut["preview"]["records"][1]["steps"] == ["We add. It is 8.", "So 8."]
    page(carried_out(run), "post", "confirm/")
    carried_out(run)
    assert steps_of_all() == [["We add.", "It is 8.\n\nSo 8."], ["We add. It is 8.", "So 8."]]


def test_cuts_by_hand_can_be_undone(inspected, page, broker):
    run = inspected()
    where = {"line": 1, "text_hash": first(page(run))["text_hash"]}
    page(run, "post", "steps/", step=0, **where)
    shown = first(page(run, "post", "steps/", **where))
    assert (shown["steps"], shown["is_cut_by_hand"], run.hand_cuts) == (["We add. It is 8.", "So 8."], False, [])


def test_places_are_counted_in_characters_not_in_surrogates(inspected, page, broker):
    run = inspected(lines(record(text="𝑥𝑦 z")))
    where = {"line": 1, "text_hash": first(page(run))["text_hash"]}
    assert first(page(run, "post", "steps/", step=0, at=2, **where))["steps"] == ["𝑥𝑦", "z"]


def test_each_generators_text_of_a_line_is_cut_by_itself(inspected, page, broker):
    texts = {"a": {"solution": "x\n\ny", "is_correct": True}, "b": {"solution": "z\n\ny", "is_correct": True}}
    run = inspected(lines({"question": "1?", "ground_truth": "A: 2"} | texts), file_format="gsm8k")
    second = page(run)["preview"]["records"][1]
    body = page(run, "post", "steps/", line=1, text_hash=second["text_hash"], step=0)
    assert [each["steps"] for each in body["preview"]["records"]] == [["x", "y"], ["z\n\ny"]]


def test_rows_of_a_table_are_cut_by_hand_too(inspected, page, broker):
    run = inspected(b"question,response,model\n1?,x y,g\n2?,z y,g\n")
    second = page(run)["preview"]["records"][1]
    body = page(run, "post", "steps/", line=second["line"], text_hash=second["text_hash"], step=0, at=2)
    assert [each["steps"] for each in body["preview"]["records"]] == [["x y"], ["z", "y"]]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"step": 1}, "no_such_step"),
        ({"step": 7, "at": 1}, "no_such_step"),
        ({"step": 1, "at": 5}, "no_such_step"),
        ({"step": 0, "line": 2}, "unknown_text"),
        ({"step": 0, "text_hash": "0" * 64}, "unknown_text"),
        ({"step": 0, "text_hash": "x"}, "invalid"),
        ({"step": -1}, "invalid"),
        ({"step": 0, "at": 0}, "invalid"),
    ],
)
def test_an_invalid_cut_is_refused(inspected, page, change, code):
    run = inspected()
    where = {"line": 1, "text_hash": first(page(run))["text_hash"]}
    assert page(run, "post", "steps/", code=400, **where | change)["code"] == code
    assert run.hand_cuts is None


def test_nothing_is_cut_once_it_is_confirmed(inspected, page, broker):
    run = inspected()
    where = {"line": 1, "text_hash": first(page(run))["text_hash"]}
    page(run, "post", "confirm/")
    assert page(run, "post", "steps/", code=409, step=0, **where)["code"] == "not_ready"


@pytest.mark.parametrize("client", ["annotator_client", "outsider_client", "signed_out_client"])
def test_staff_alone_cut(request, inspected, client):
    answer = request.getfixturevalue(client).post(f"/api/imports/{inspected().pk}/steps/", {"step": 0}, format="json")
    assert answer.status_code in (401, 403)


@pytest.mark.parametrize("rule", [rule.value for rule in StepRule if rule != StepRule.MODEL])
def test_a_solution_tells_which_rule_cut_it(stored, admin_client, rule):
    run = carried_out(stored(lines(record()), split_by=rule))
    origin = admin_client.get(f"/api/pool/solutions/{Solution.objects.get().pk}/").json()["origin"]
    assert (origin["id"], origin["split_by"], origin["split_version"]) == (str(run.pk), rule, cutting.VERSION)


def test_solutions_that_came_in_steps_name_no_rule(stored, admin_client):
    carried_out(stored(lines({"problem": "1?", "generator": "g", "steps": ["a"]}), split_by="lines"))
    origin = admin_client.get(f"/api/pool/solutions/{Solution.objects.get().pk}/").json()["origin"]
    assert (origin["split_by"], origin["split_version"]) == (None, None)
