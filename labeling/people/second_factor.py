"""A second factor at sign-in: codes of an authenticator app (TOTP), and recovery codes for when it is lost."""

from base64 import urlsafe_b64encode
from hashlib import sha256

import qrcode
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret, validate_totp_code
from cryptography.fernet import Fernet
from django.conf import settings
from django.db import transaction
from qrcode.image.svg import SvgPathImage

from labeling import audit
from labeling.errors import DomainError
from labeling.models import User
from labeling.rules.audited import AuditAct

CODES_AT_A_TIME = 3  # at most this many are valid at once, as clocks differ


class CodeRequired(DomainError, code="code_required", status=400):
    """The password is right, but the code that the person's app shows is missing."""


class WrongCode(DomainError, code="wrong_code", status=400):
    """The app shows another code by now, or has another secret."""


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """Keeps secrets encrypted, by the installation's key: a copied database alone gives no codes."""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _cipher().decrypt(encrypted_text.encode()).decode()


def _cipher() -> Fernet:
    return Fernet(urlsafe_b64encode(sha256(f"second factor {settings.SECRET_KEY}".encode()).digest()))


def new_secret() -> str:
    return str(generate_totp_secret())


def address_of(person: User, secret: str) -> str:
    """Returns the secret as a URL that authenticator apps read."""
    return str(Adapter().build_totp_url(person, secret))


def picture_of(address: str) -> str:
    """Returns the address as a QR code, in SVG."""
    return str(qrcode.make(address, image_factory=SvgPathImage).to_string(encoding="unicode"))


def is_on(person: User) -> bool:
    return bool(Authenticator.objects.filter(user=person, type=Authenticator.Type.TOTP).exists())


@transaction.atomic
def check(*, person: User, code: str) -> bool:
    """Returns True without a second factor, or if the code is right; each counts once. Raises CodeRequired if empty."""
    found = {each.type: each for each in Authenticator.objects.select_for_update().filter(user=person)}
    totp, recovery = (found.get(kind) for kind in (Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES))
    if totp is None:
        return True
    if not code:
        raise CodeRequired("Give the code that your authenticator app shows, or a recovery code.")
    given = "".join(code.split())
    return _is_new(totp, given) or (recovery is not None and bool(RecoveryCodes(recovery).validate_code(given)))


def _is_new(totp: Authenticator, given: str) -> bool:
    """True if the app shows this code, and nobody gave it before: the row remembers it for all processes."""
    used = totp.data.get("used", [])
    if given in used or not validate_totp_code(Adapter().decrypt(totp.data["secret"]), given):
        return False
    totp.data["used"] = [*used, given][-CODES_AT_A_TIME:]
    totp.save(update_fields=["data"])
    return True


@transaction.atomic
def switch_on(*, person: User, secret: str, code: str) -> list[str]:
    """Requires codes at sign-in from now on. Returns recovery codes, each of which counts once. Raises WrongCode."""
    if not validate_totp_code(secret, "".join(code.split())):
        raise WrongCode("This is not the code that the app shows now.")
    Authenticator.objects.filter(user=person).delete()
    TOTP.activate(person, secret)
    audit.record(by=person, act=AuditAct.SWITCH_ON, on=person)
    return list(RecoveryCodes.activate(person).generate_codes())


@transaction.atomic
def switch_off(*, person: User, by: User) -> None:
    Authenticator.objects.filter(user=person).delete()
    audit.record(by=by, act=AuditAct.SWITCH_OFF, on=person)
