"""Acts on people: who exists, and who labels where."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from labeling.models import Membership, Phase, Role, User


@transaction.atomic
def add_person(*, username: str, password: str, role: str = Role.ANNOTATOR) -> User:
    """Creates a person who can sign in. Raises IntegrityError when the name is taken."""
    return User.objects.create_user(username=username, password=password, role=role)


def add_members(*, phase: Phase, users: Iterable[User]) -> None:
    """Lets the users label in the phase; who already may stays so."""
    rows = [Membership(phase=phase, user=user) for user in users]
    Membership.objects.bulk_create(rows, ignore_conflicts=True)


def remember(*, user: User, preferences: dict[str, Any]) -> None:
    User.objects.filter(pk=user.pk).update(preferences=preferences)
