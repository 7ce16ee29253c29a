"""The settings of products under test: a password costs nothing to check, as each person of each test signs in."""

from stepmark.settings import *  # noqa: F403  all but what follows

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
