"""stepmark.environment: what variables may hold, and one sentence for what they may not."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from stepmark import settings
from stepmark.environment import Environment, checked_rate, one_of, redis_url

pytestmark = pytest.mark.any_database
env = Environment()


@pytest.fixture
def given(monkeypatch):
    return lambda value, var="VARIABLE": monkeypatch.setenv(var, value)


@pytest.fixture
def refused(monkeypatch):
    """Returns the sentence with which a reader refuses the value."""

    def act(value, read, var="VARIABLE"):
        monkeypatch.setenv(var, value)
        with pytest.raises(ImproperlyConfigured) as refusal:
            read()
        said = str(refusal.value)
        assert var in said and said.endswith(".") and "\n" not in said
        assert refusal.value.__suppress_context__ or not refusal.value.__context__  # no other error shows the value
        return said

    return act


def test_a_list_may_have_spaces_around_its_commas(given):
    given(" Qwen/*, HuggingFaceTB/* ,,")
    assert env.list("VARIABLE") == ["Qwen/*", "HuggingFaceTB/*"]


@pytest.mark.parametrize(("value", "read"), [("1", True), ("Yes ", True), ("on", True), ("0", False), ("", False)])
def test_a_switch_is_on_or_off(given, value, read):
    given(value)
    assert env.bool("VARIABLE", default=not read) is read


def test_a_secret_is_read_as_it_was_set(given):
    given("$ecret # of mine")
    assert env.str("VARIABLE", default="") == "$ecret # of mine"


def test_a_number_may_have_an_exponent(given):
    given("1e3")
    assert env.float("VARIABLE") == 1000


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("enabled", env.bool),
        ("many", env.int),
        ("5s", env.float),
        ("{", env.json),
        ('["a key"]', env.json),
    ],
)
def test_an_invalid_value_is_refused_in_one_sentence(refused, value, read):
    refused(value, lambda: read("VARIABLE"))


def test_without_the_variable_its_default_stands(monkeypatch):
    monkeypatch.delenv("VARIABLE", raising=False)
    assert (env.bool("VARIABLE", default=True), env.list("VARIABLE", default=["*"])) == (True, ["*"])


@pytest.mark.parametrize(
    "value",
    [
        "postgres://stepmark:hunter2@db:54x2/stepmark",
        "postgres://stepmark:hunter2/x@db/stepmark",
        "//stepmark:hunter2@db/stepmark",
        "mysql://stepmark:hunter2@db/stepmark",
        "hunter2",
    ],
)
def test_a_bad_address_of_the_database_is_refused_without_its_password(refused, value):
    assert "unter2" not in refused(value, settings.database, "DATABASE_URL")


def test_the_database_is_in_the_data_folder_unless_it_is_named(given, monkeypatch, tmp_path):
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path / "100% #1?")
    given("", "DATABASE_URL")
    assert settings.database()["NAME"] == str(tmp_path / "100% #1?" / "stepmark.sqlite3")
    given("postgres://ada:p%23w@db:5433/stepmark", "DATABASE_URL")
    found = settings.database()
    assert (found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == ("p#w", "db", 5433, "stepmark")


@pytest.mark.parametrize("value", ["smtp://u:hunter2@x:9x", "pigeon://u:hunter2@x", "smtp://u:hun]ter[2@x:9"])
def test_a_bad_address_of_the_mail_server_is_refused_without_its_password(refused, value):
    assert "2@" not in refused(
        value, lambda: env.address("EMAIL_URL", "", env.email_url_config, "smtp://x"), "EMAIL_URL"
    )


@pytest.mark.parametrize("value", ["redis://:hunter2@x:9x/0", "http://:hunter2@x/0", "hunter2"])
def test_a_bad_address_of_the_broker_is_refused_without_its_password(refused, value):
    assert "unter2" not in refused(value, lambda: env.address("REDIS_URL", "", redis_url, "redis://x"), "REDIS_URL")


@pytest.mark.parametrize("value", ["redis://:p%23w@x:6379/0", "rediss://x/1", ""])
def test_an_address_of_the_broker(value):
    assert redis_url(value) == value


def test_a_rate_is_a_number_of_requests_in_a_time():
    assert checked_rate("120/min", "VERIFIER_RATE") == "120/min"
    for bad in ("often", "120", "x/min", "120/week"):
        with pytest.raises(ImproperlyConfigured, match="VERIFIER_RATE"):
            checked_rate(bad, "VERIFIER_RATE")


def test_one_of_several():
    assert one_of("b", "VARIABLE", "a", "b") == "b"
    with pytest.raises(ImproperlyConfigured, match="VARIABLE is “c”; it can be a or b"):
        one_of("c", "VARIABLE", "a", "b")
