"""labeling.completions.generator: calls an OpenAI-compatible endpoint, over a real socket."""

import socket
from time import monotonic

import pytest

from labeling.completions import generator as generators
from labeling.completions.generator import GeneratorFailed, first_step


@pytest.fixture
def ask(generator, settings):
    settings.GENERATOR_TIMEOUT_SECONDS = 5

    def act(wanted=3, url=generator.url, purpose="step"):
        return generators.request_texts(url=url, model="prover", prompt="Solve this.", purpose=purpose, wanted=wanted)

    return act


def test_it_works(ask, generator):
    generator.answers = [["One.\n\nMore.", "Two.", "Three."]]
    assert ask() == ["One.", "Two.", "Three."]
    (asked,) = generator.asked
    assert asked.pop("temperature") > 0
    assert asked == {
        "address": "/v1/completions",
        "model": "prover",
        "prompt": "Solve this.",
        "max_tokens": 256,
        "n": 3,
    }
    assert generator.keys == [None]


def test_the_key_comes_along(ask, generator, settings):
    settings.GENERATOR_API_KEYS = {generator.url.replace("http", "HTTP"): "abc", "https://elsewhere.example": "xyz"}
    generator.answers = [["One."]]
    ask(wanted=1)
    assert generator.keys == ["Bearer abc"]


def test_no_other_address_gets_a_key(ask, generator, settings):
    port = generator.server_port
    settings.GENERATOR_API_KEYS = {
        f"https://127.0.0.1:{port}": "abc",
        f"http://127.0.0.1:{port + 1}": "abc",
        "http://127.0.0.1": "abc",
    }
    generator.answers = [["One."]]
    ask(wanted=1)
    ask(wanted=1, url=generator.url.replace("127.0.0.1", "localhost"))
    ask(wanted=1, url=generator.url.replace("127.0.0.1", "127.0.0.1:80@127.0.0.1"))
    assert {key for key in generator.keys if key and key.startswith("Bearer")} == set()


def test_a_private_address_is_asked_only_where_the_environment_says_so(ask, generator, settings):
    settings.GENERATOR_MAY_BE_PRIVATE = False
    generator.answers = [["One."]]
    with pytest.raises(GeneratorFailed, match="GENERATOR_MAY_BE_PRIVATE"):
        ask()
    assert generator.asked == []
    settings.GENERATOR_API_KEYS = {generator.url: "abc"}
    assert ask(wanted=1) == ["One."]


def test_a_redirect_is_not_followed(ask, generator):
    def elsewhere(handler):
        handler.send_response(307)
        handler.send_header("Location", generator.url.replace("127.0.0.1", "localhost"))
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    generator.answers = [elsewhere]
    with pytest.raises(GeneratorFailed, match="307"):
        ask()
    assert len(generator.asked) == 1


@pytest.mark.parametrize("kind", ["phases/", "generations/"])
def test_a_form_refuses_a_private_address_and_names_the_setting(
    make, admin_client, ml_staff_client, refused, settings, kind
):
    make.problem()  # what a generation needs to start
    settings.GENERATOR_MAY_BE_PRIVATE = False
    client = admin_client if kind == "phases/" else ml_staff_client
    body = {"name": "x", "generator_url": "http://169.254.169.254/v1", "generator_model": "m"}
    errors = refused(client.post(f"/api/{kind}", body), 400, "invalid")["errors"]
    assert "GENERATOR_MAY_BE_PRIVATE" in errors["generator_url"][0]
    settings.GENERATOR_MAY_BE_PRIVATE = True
    assert client.post(f"/api/{kind}", body).status_code == 201


def test_a_server_that_ignores_n_is_asked_again(ask, generator):
    generator.answers = [["One."], ["One."], ["Two."]]
    assert ask() == ["One.", "Two."]
    assert [asked["n"] for asked in generator.asked] == [3, 2, 2]


def test_more_than_was_asked_for_is_cut(ask, generator):
    generator.answers = [["One.", "Two.", "Three."]]
    assert ask(wanted=2) == ["One.", "Two."]


def test_texts_received_before_a_failure_are_kept(ask, generator):
    generator.answers = [["One."], lambda handler: handler.reply(500, "")]
    assert ask() == ["One."]


def raw(text, status=200):
    return lambda handler: handler.reply(status, text)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (raw("", 500), r"error \(500\)"),
        (raw("{}", 401), r"error \(401\)"),
        (raw("", 302), r"error \(302\)"),
        (raw("<html>"), "not what an OpenAI-compatible"),
        (raw("\xff"), "not what"),
        (raw("[]"), "not what"),
        (raw('{"choices": null}'), "not what"),
        (raw('{"choices": ["x"]}'), "not what"),
        (raw('{"choices": [{"message": "x"}]}'), "not what"),
        (raw("[" * 100_000), "not what"),
        (raw(" " * (generators.LARGEST_REPLY + 1)), "not what"),
        (lambda handler: handler.wfile.write(b"no HTTP"), "can't be reached"),
        (lambda handler: handler.connection.shutdown(socket.SHUT_RDWR), "can't be reached"),
        ([], "nothing that can be used"),
        (["", " \n "], "nothing that can be used"),
        (["x" * (generators.LONGEST_TEXT + 1)], "nothing that can be used"),
        (raw('{"choices": [{"text": null}]}'), "nothing that can be used"),
    ],
)
def test_an_invalid_answer_is_a_failure(ask, generator, answer, message):
    generator.answers = [answer]
    with pytest.raises(GeneratorFailed, match=message):
        ask()


def test_characters_that_the_database_refuses_are_replaced(ask, generator):
    generator.answers = [raw('{"choices": [{"text": "a\\u0000b"}, {"text": "c\\ud800d"}]}')]
    assert ask(wanted=2) == ["a\ufffdb", "c\ufffdd"]


def test_a_slow_server_times_out(ask, generator, settings):
    settings.GENERATOR_TIMEOUT_SECONDS = 0.1
    generator.answers = [lambda handler: generator.hurry.wait(120)]
    begun = monotonic()
    with pytest.raises(GeneratorFailed, match="within its time limit"):
        ask()
    assert monotonic() - begun < 60


def test_a_server_that_drips_times_out(ask, generator, settings):
    """Every piece comes in time, but the answer never ends."""
    settings.GENERATOR_TIMEOUT_SECONDS = 0.2

    def drip(handler):
        handler.send_response(200)
        handler.end_headers()
        while not generator.hurry.wait(0.02):
            handler.wfile.write(b" ")

    generator.answers = [drip]
    with pytest.raises(GeneratorFailed, match="did not answer within"):
        ask()
    generator.hurry.set()


def test_a_server_that_is_down(ask):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    with pytest.raises(GeneratorFailed, match="can't be reached"):
        ask(url=f"http://127.0.0.1:{free}/v1")


@pytest.mark.parametrize("url", ["http://", "ftp://127.0.0.1/v1", "http://[", "nowhere"])
def test_an_invalid_address_is_a_failure(ask, url):
    with pytest.raises(GeneratorFailed, match="can't be reached"):
        ask(url=url)


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("\n\nFirst.\n\nSecond.", "First."),
        ("# Answer\n\n5\n\nMore", "# Answer\n\n5"),
        ("$$\na\n\nb\n$$\n\nNext", "$$\na\n\nb\n$$"),
        ("First.\nSecond.", "First."),
        (" ", ""),
    ],
)
def test_the_first_step(text, step):
    assert first_step(text) == step
    assert first_step(step) == step


def test_the_prompt_holds_the_problem_and_the_path():
    prompt = generators.prompt_for(problem="What is 2 + 3?", path=["We add.", "It is 5."], purpose="step")
    assert prompt.endswith("Problem:\nWhat is 2 + 3?\n\nSolution:\n\nWe add.\n\nIt is 5.\n\n")
    critique = generators.prompt_for(problem="What is 2 + 3?", path=["It is 6."], purpose="critique")
    assert critique.endswith("It is 6.\n\n" + generators.CRITICISE)
