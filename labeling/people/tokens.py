"""API tokens, for scripts: made and revoked by the person whose rights they carry."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from labeling import audit
from labeling.errors import DomainError
from labeling.models import ApiToken, User
from labeling.rules.audited import AuditAct

SEEN_AGAIN_AFTER = timedelta(minutes=1)


class InvalidToken(DomainError, code="invalid_token", status=401):
    """The token is unknown, expired or revoked."""


class NameTaken(DomainError, code="name_taken", status=409):
    """The person has a token of this name."""


def new_secret() -> str:
    return f"stepmark_{secrets.token_urlsafe(32)}"


def hashed(secret: str) -> str:
    """Hashes the secret once, without salt: that is enough for 256 random bits, which nobody guesses."""
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def make_token(
    *,
    user: User,
    name: str,
    is_read_only: bool = False,
    expires_at: datetime | None = None,
    by: User | None = None,
) -> tuple[ApiToken, str]:
    """Makes a token. Returns it and its secret, to be shown once. `by`: the admin, if any. Raises NameTaken."""
    if user.api_tokens.filter(name=name).exists():
        raise NameTaken(f"There is a token called “{name}” already.")
    secret, limits = new_secret(), {"is_read_only": is_read_only, "expires_at": expires_at}
    token = ApiToken.objects.create(user=user, name=name, secret_hash=hashed(secret), **limits)
    audit.record(by=by or user, act=AuditAct.MAKE, on=token, after=limits)
    return token, secret


@transaction.atomic
def revoke(*, token: ApiToken, by: User) -> None:
    audit.record(by=by, act=AuditAct.REVOKE, on=token)
    token.delete()


def find(*, secret: str, now: datetime) -> ApiToken:
    """Finds the token, and records its use. Raises InvalidToken, also if it has expired or its user is deactivated."""
    rows = ApiToken.objects.select_related("user").filter(secret_hash=hashed(secret), user__is_active=True)
    token = rows.exclude(expires_at__lte=now).first()
    if token is None:
        raise InvalidToken("This token is unknown, expired or revoked.")
    unseen = Q(last_used_at=None) | Q(last_used_at__lt=now - SEEN_AGAIN_AFTER)
    ApiToken.objects.filter(unseen, pk=token.pk).update(last_used_at=now)
    return token
