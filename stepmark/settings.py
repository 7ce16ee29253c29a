"""Settings. Everything that differs between machines comes from the environment: see docs/reference/settings.md.

Without any of it, Stepmark runs embedded: SQLite in WAL mode and a broker made of files, both in the data folder.
"""

import logging
import os
from importlib.metadata import version
from pathlib import Path
from socket import gethostname
from typing import Any

import django_stubs_ext
from django.core.exceptions import ImproperlyConfigured
from platformdirs import user_data_path

from stepmark import owner_only
from stepmark.environment import Environment, checked_rate, one_of, redis_url

PACKAGE = Path(__file__).resolve().parent
django_stubs_ext.monkeypatch()  # lets generic Django classes take their type parameter at run time


env = Environment()


def usual_data_dir() -> Path:
    """`var/` of a checkout; installed, the user's data folder."""
    checkout = PACKAGE.parent
    is_checkout = (checkout / "manage.py").exists() and (checkout / "frontend").exists()
    return checkout / "var" if is_checkout else user_data_path("stepmark", appauthor=False)


def made(folder: Path) -> Path:
    """Makes the folder if need be. Raises ImproperlyConfigured, in words for people, unless it can be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        why = "" if os.access(folder, os.W_OK | os.X_OK) else "permission denied"
    except OSError as error:
        why = str(error.strerror).lower()
    if why:
        told = (
            f"The data folder {folder} can't be written to ({why}): run Stepmark as its owner, or name another folder"
        )
        raise ImproperlyConfigured(f"{told} with STEPMARK_DATA_DIR.")
    return folder


owner_only.from_now_on()
DATA_DIR = made(Path(env.str("STEPMARK_DATA_DIR", default="") or usual_data_dir()))
owner_only.close(DATA_DIR)
MODELS_ROOT = DATA_DIR / "models"
MEDIA_ROOT = DATA_DIR / "files"
# An upload streams to the disk that it stays on, and is moved, not copied.
FILE_UPLOAD_TEMP_DIR = MEDIA_ROOT
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700
made(MEDIA_ROOT)
STORAGES: dict[str, dict[str, object]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# A bucket in place of a folder that all machines share; boto3 reads keys and endpoint from the environment.
if bucket := env.str("S3_BUCKET", default=""):
    STORAGES["default"] = {
        "BACKEND": "storages.backends.s3.S3Storage",
        "OPTIONS": {"bucket_name": bucket, "file_overwrite": False},
    }

DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])


def secret_key() -> str:
    """The key from the environment, or one made once and kept beside the data."""
    if key := str(env.str("SECRET_KEY", default="")):
        return key
    path = DATA_DIR / "secret_key"
    if not path.exists():
        from django.core.management.utils import get_random_secret_key  # noqa: PLC0415

        path.touch(mode=0o600)
        path.write_text(get_random_secret_key())
    return path.read_text()


SECRET_KEY = secret_key()

# Who may read /metrics; without it nobody may.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
# Where errors go, and traces: OpenTelemetry reads this and its other variables itself, too.
SENTRY_DSN = env.str("SENTRY_DSN", default="")
OTEL_EXPORTER_OTLP_ENDPOINT = env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default="")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "labeling",
    "annotate",
    "prm_training",
    "stepmark",
]

MIDDLEWARE = [
    "stepmark.web.middleware.RequestId",
    "stepmark.web.middleware.SecurityHeaders",
    "stepmark.web.probes.Probes",
    "stepmark.web.metrics.Measured",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "stepmark.web.middleware.WhileUpgraded",
    "stepmark.web.middleware.AsTheSchemaSays",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "stepmark.urls"
WSGI_APPLICATION = "stepmark.wsgi.application"
AUTH_USER_MODEL = "labeling.User"
AUTHENTICATION_BACKENDS = ["labeling.people.sessions.Backend"]
SESSION_ENGINE = "labeling.people.sessions"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]


def database() -> dict[str, Any]:
    """PostgreSQL, or SQLite. Raises ImproperlyConfigured for anything else."""
    if not env.str("DATABASE_URL", default=""):
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA_DIR / "stepmark.sqlite3")}
    found: dict[str, Any] = env.address(
        "DATABASE_URL", "", env.db_url_config, "postgres://user:password@host:5432/name"
    )
    if not str(found.get("ENGINE", "")).endswith((".sqlite3", ".postgresql")):
        raise ImproperlyConfigured("DATABASE_URL must begin with postgres://; without it, SQLite is used.")
    return found


DATABASES = {"default": database()}
DATABASES["default"]["CONN_MAX_AGE"] = 60  # seconds: to open SQLite anew, too, is half of a light request's work
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 30,
        # Take the write lock at BEGIN: a transaction that reads first and writes later would fail at once
        # with "database is locked" instead of waiting its turn.
        "transaction_mode": "IMMEDIATE",
        # FULL: a submission that got a success reply is on disk even if the power goes.
        # The cache holds what a transaction changes: what is read is mapped.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA mmap_size=134217728; "
        "PRAGMA cache_size=-32000;",
    }
else:
    DATABASES["default"]["ENGINE"] = "stepmark.postgresql"
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    # No query here is so long that compiling it first pays; the longest take half as long again with it.
    # PgBouncer takes no options: give it `ignore_startup_parameters = options`.
    # A server that is away, or silent, is given up soon: the request is answered so, and sent again.
    usual = {"options": "-c jit=off", "connect_timeout": 5, "tcp_user_timeout": 30_000}
    DATABASES["default"]["OPTIONS"] = usual | DATABASES["default"].get("OPTIONS", {})
    # Queries of labeling/statements.py are planned once a connection. PgBouncer before 1.21 can't: set it to 0 there.
    DATABASES["default"]["OPTIONS"]["prepare_threshold"] = env.int("PREPARE_THRESHOLD", default=5) or None

PASSWORD_LENGTH = env.int("PASSWORD_LENGTH", default=10)
PASSWORD_RULES = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": f"{PASSWORD_RULES}.MinimumLengthValidator", "OPTIONS": {"min_length": PASSWORD_LENGTH}},
    {"NAME": f"{PASSWORD_RULES}.UserAttributeSimilarityValidator", "OPTIONS": {"user_attributes": ["username"]}},
    {"NAME": f"{PASSWORD_RULES}.CommonPasswordValidator"},
    {"NAME": "labeling.people.passwords.NotBlank"},
]
# A file of hashes of breached passwords, as haveibeenpwned.com offers it; no request goes there.
if breached := env.str("BREACHED_PASSWORDS", default=""):
    AUTH_PASSWORD_VALIDATORS.append({"NAME": "labeling.people.passwords.NotBreached", "OPTIONS": {"file": breached}})
# A session ends after so long without requests, and at the latest so long after the sign-in.
SESSION_IDLE_MINUTES = env.int("SESSION_IDLE_MINUTES", default=12 * 60)
SESSION_LONGEST_HOURS = env.int("SESSION_LONGEST_HOURS", default=14 * 24)
# How long after a password was given people, roles and tokens can be changed without giving it again.
CONFIRM_AFTER_MINUTES = env.int("CONFIRM_AFTER_MINUTES", default=60)
# For how many days what is known about people is kept; 0: forever.
ADDRESSES_KEPT_DAYS = env.int("ADDRESSES_KEPT_DAYS", default=90)
AUDIT_LOG_KEPT_DAYS = env.int("AUDIT_LOG_KEPT_DAYS", default=0)
DRAFTS_KEPT_DAYS = env.int("DRAFTS_KEPT_DAYS", default=365)
MFA_ADAPTER = "labeling.people.second_factor.Adapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Stepmark"
MFA_TOTP_TOLERANCE = 1  # the code before and the one after count, too: clocks differ
# Signing in by OpenID Connect: what the provider calls this installation, and whether whoever it vouches for gets an
# account. Its address of return is /sso/oidc/login/callback/.
OIDC_ISSUER = env.str("OIDC_ISSUER", default="")
OIDC_NAME = env.str("OIDC_NAME", default="single sign-on")
OIDC_MAKES_ACCOUNTS = env.bool("OIDC_MAKES_ACCOUNTS", default=False)
OIDC_APP = {
    "provider_id": "oidc",
    "name": OIDC_NAME,
    "client_id": env.str("OIDC_CLIENT_ID", default=""),
    "secret": env.str("OIDC_CLIENT_SECRET", default=""),
    "settings": {"server_url": OIDC_ISSUER},
}
SOCIALACCOUNT_ADAPTER = "stepmark.web.single_sign_on.Adapter"
SOCIALACCOUNT_LOGIN_ON_GET = True  # a form that is sent on to another site is refused by our Content-Security-Policy
SOCIALACCOUNT_OPENID_CONNECT_URL_PREFIX = ""
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [OIDC_APP] if OIDC_ISSUER else []}}
CSRF_FAILURE_VIEW = "stepmark.web.errors.csrf_failure"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.bool("HTTPS_ONLY", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SESSION_COOKIE_SECURE else None
# With this prefix browsers take a cookie from nobody but this host, over HTTPS.
if SESSION_COOKIE_SECURE:
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
SECURE_REFERRER_POLICY = "strict-origin"  # never a page's address: that of an invitation is its secret
# The proxy's job, unless it leaves it to us.
SECURE_SSL_REDIRECT = env.bool("REDIRECT_TO_HTTPS", default=False)
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=0)
# Whether the domain's other hosts have HTTPS, too, only their owner knows.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
FRONTEND_DIST = PACKAGE / "dist"  # as Vite builds the client
STATICFILES_DIRS = [FRONTEND_DIST] if FRONTEND_DIST.exists() else []
WHITENOISE_USE_FINDERS = True
# Vite puts a hash of the content into every name under assets/.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/assets/"
WHITENOISE_AUTOREFRESH = DEBUG

# The largest file that may be uploaded, and the largest body of JSON, which is read into memory.
UPLOAD_LIMIT_MB = env.int("UPLOAD_LIMIT_MB", default=2048)
MAX_STEPS = env.int("MAX_STEPS", default=10_000)  # of a solution
JSON_LIMIT_MB = 32

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "labeling.people.api.authentication.BrowserAuthentication",
        "labeling.people.api.authentication.TokenAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["labeling.api.parsers.StrictJSONParser"],
    "DEFAULT_PAGINATION_CLASS": "labeling.api.pagination.Pages",
    "DEFAULT_SCHEMA_CLASS": "stepmark.schema.responses.Schema",
    "DEFAULT_METADATA_CLASS": None,  # no answer to OPTIONS: the schema describes the API
    "EXCEPTION_HANDLER": "labeling.api.errors.handle",
    "DEFAULT_THROTTLE_RATES": {
        "completions": "600/min",
        "crashes": "30/hour",
        "verifier": checked_rate(env.str("VERIFIER_RATE", default="120/min"), "VERIFIER_RATE"),
    },
    # How many proxies stand before the web processes: X-Forwarded-For can't be trusted beyond them.
    "NUM_PROXIES": env.int("TRUSTED_PROXIES", default=0),
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
# How many tasks a person may give back within an hour: labelling needs few, looking for gold many.
RELEASES_PER_HOUR = env.int("RELEASES_PER_HOUR", default=10)
# Wrong passwords within a quarter of an hour: for one name from anywhere, and from one address for any name.
SIGN_IN_FAILURES_PER_NAME = env.int("SIGN_IN_FAILURES_PER_NAME", default=10)
SIGN_IN_FAILURES_PER_ADDRESS = env.int("SIGN_IN_FAILURES_PER_ADDRESS", default=100)
OPENAPI = PACKAGE / "schema" / "openapi.json"  # as `make openapi` last wrote it
SPECTACULAR_SETTINGS = {
    "TITLE": "Stepmark",
    "VERSION": version("stepmark"),
    "DESCRIPTION": "Label model-written solutions step by step, train a reward model on it, repeat.\n\n"
    "A script sends `Authorization: Token SECRET`, with the secret of a token from Account; it may do what its owner "
    "may. Times are UTC. Lists come in pages: follow `next`. A refusal is `application/problem+json`; an unknown field "
    "of a body or parameter of a query is refused, never passed over.",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "stepmark.schema.examples.add",
        "stepmark.schema.reference.add",
    ],
    "ENUM_NAME_OVERRIDES": {
        "AuditAct": "labeling.rules.audited.AuditAct.choices",
        "Audited": "labeling.rules.audited.Audited.choices",
        "RunStatus": "labeling.models.Status",
        "PilotStatus": "prm_training.models.PilotStatus",
        "LoopAct": "prm_training.loop.next_act.ACT_CHOICES",
        "NoticeStatus": "prm_training.models.NoticeStatus",
        "PhaseKind": "labeling.models.PhaseKind.choices",
        "PhaseRole": "labeling.models.PhaseRole",
        "PhaseStatus": "labeling.models.PhaseStatus",
        "ReportKind": "labeling.models.ReportKind",
        "Role": "labeling.models.Role",
        "RoundStatus": "labeling.models.RoundStatus",
        "Markup": "labeling.models.Markup.choices",
        "Split": "labeling.models.Split",
        "Grader": "labeling.rules.words.Grader.choices",
        "StepRule": "labeling.rules.words.StepRule.choices",
        "Verdict": "labeling.models.Verdict.choices",
        "Rating": "labeling.models.Rating",
        "Check": "labeling.rules.words.Check.choices",
        "ConsensusMethod": "labeling.models.ConsensusMethod",
        "RunKind": "prm_training.api.serializers.KIND_CHOICES",
        "ScreeningState": ["pending", "passed", "failed"],
    },
}

REDIS_URL = env.address("REDIS_URL", "", redis_url, "redis://:password@host:6379/0")
BROKER_DIR = DATA_DIR / "broker"
CELERY = {
    "broker_url": REDIS_URL or "files://localhost//",
    "broker_connection_retry_on_startup": True,
    "task_ignore_result": True,
    "task_default_queue": "cpu",
    # The row, not the broker, knows what is left to do: acknowledge at once, and let the heartbeat enqueue it again.
    "task_acks_late": False,
    "worker_prefetch_multiplier": 1,
    "worker_enable_remote_control": False,
    "worker_hijack_root_logger": False,  # its lines are ours, too: see LOGGING
    "worker_timer_precision": 0.2,  # how long a worker that is to stop may wait for its timer
    "imports": ["prm_training.worker.tasks"],
}
# A message to a broker that is away is given up at once; the heartbeat sends it again.
BROKER_OPTIONS: dict[str, object] = {"max_retries": 1, "interval_start": 0, "socket_connect_timeout": 2}
if REDIS_URL:
    # Several installations may share a Redis; each has its own prefix.
    prefix = env.str("BROKER_PREFIX", default="stepmark")
    CELERY["broker_transport_options"] = BROKER_OPTIONS | {"global_keyprefix": f"{prefix}:"}
else:
    for folder in ("queue", "control"):
        (BROKER_DIR / folder).mkdir(parents=True, exist_ok=True)
    CELERY["broker_transport_options"] = {
        "data_folder_in": str(BROKER_DIR / "queue"),
        "data_folder_out": str(BROKER_DIR / "queue"),
        "control_folder": str(BROKER_DIR / "control"),
        "polling_interval": 0.25,
    }

# The generator of a phase (an OpenAI-compatible endpoint): its keys, and how long an annotator waits for it.
# Keys by the origin that gets them: whoever types another address into a form sends none there. An origin that is named
# here may be private; others may with GENERATOR_MAY_BE_PRIVATE.
GENERATOR_API_KEYS = env.json("GENERATOR_API_KEYS", default={})
GENERATOR_MAY_BE_PRIVATE = env.bool("GENERATOR_MAY_BE_PRIVATE", default=False)
GENERATOR_TIMEOUT_SECONDS = env.float("GENERATOR_TIMEOUT_SECONDS", default=15)
# How long a worker waits for the whole solutions of one problem, or the steps of one text, and how many calls it makes
# at once.
GENERATION_TIMEOUT_SECONDS = 300
GENERATION_CALLS_AT_ONCE = 8
# The model that says where the steps of imported texts begin: its endpoint, and its name there.
SPLITTER_URL = env.str("SPLITTER_URL", default="")
SPLITTER_MODEL = env.str("SPLITTER_MODEL", default="")

# Where an autopilot's e-mails go out, and whether its webhooks may call private addresses.
vars().update(env.address("EMAIL_URL", "consolemail://", env.email_url_config, "smtp+tls://user:password@host:587"))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="stepmark@localhost")
WEBHOOK_MAY_BE_PRIVATE = env.bool("WEBHOOK_MAY_BE_PRIVATE", default=False)

# How long a request to the verifier waits for its answer; after that it gets the answer's address.
VERIFIER_WAIT_SECONDS = 3

# How often a worker says it is alive, and after how long its silence means that it isn't.
WORKER_HEARTBEAT_SECONDS = env.float("WORKER_HEARTBEAT_SECONDS", default=2)
WORKER_SILENT_SECONDS = env.float("WORKER_SILENT_SECONDS", default=15)

# One training at a time runs on a device: a machine, and the part of it that CUDA_VISIBLE_DEVICES leaves to a worker.
DEVICE_SLOT = f"{gethostname()}:{env.str('CUDA_VISIBLE_DEVICES', default='all')}"
# How many GPUs the workers of this machine share; None: as many as there are.
STEPMARK_GPUS = env.int("STEPMARK_GPUS", default=None)
# Which queues a worker serves: `cpu`, `gpu` (training, evaluation, scoring), or both.
WORKER_QUEUES = ",".join(env.list("WORKER_QUEUES", default=["cpu", "gpu"]))
# Models of the hub that may be bases and generators: patterns of `name` or `name@revision`.
HUB_MODELS = env.list("HUB_MODELS", default=["*"])
# On fewer problems with held-out labels, or fewer of their steps being Bad, a comparison decides nothing.
PROMOTION_NEEDS = {"problems": 30, "negatives": 30} | env.json("PROMOTION_NEEDS", default={})
# A new model becomes the current one if none of these held-out figures falls by more than this, or by more than the
# half-width of the 95 % interval of the difference, whichever is larger.
PROMOTION_MAY_FALL = env.json("PROMOTION_MAY_FALL", default={"step_auc": 0.01, "f1": 0.05})

# `line` for people, `json` for programs: one object a line, an error with its traceback.
LOG_FORMAT = one_of(env.str("LOG_FORMAT", default="") or "line", "LOG_FORMAT", "line", "json")
LOG_LEVEL = one_of(env.str("LOG_LEVEL", default="INFO").upper(), "LOG_LEVEL", *logging.getLevelNamesMapping())
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"()": "stepmark.telemetry.logs.Lines", "format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
        "json": {"()": "stepmark.telemetry.logs.JsonLines"},
    },
    "filters": {"request-id": {"()": "stepmark.telemetry.logs.WithRequestId"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["request-id"]}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {"gunicorn.error": {"handlers": [], "propagate": True}},  # the server's own lines, by the same handler
}
