"""Many people at once: a CSV table of names, roles and phases becomes accounts, each with a link or a token."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import transaction

from labeling import audit
from labeling.errors import DomainError
from labeling.models import Membership, Phase, PhaseRole, Role, User
from labeling.people import accounts, invitations, tokens
from labeling.rules import names
from labeling.rules.audited import AuditAct

COLUMNS = ("username", "role", "phases", "phase_role", "access")
MOST_ROWS = 1000
LINK, TOKEN, READ_ONLY_TOKEN = "link", "token", "read-only token"
ACCESS = (LINK, TOKEN, READ_ONLY_TOKEN)
CHOICES: dict[str, dict[str, str]] = {
    "role": dict(Role.choices),
    "phase_role": dict(PhaseRole.choices),
    "access": dict(zip(ACCESS, ACCESS, strict=True)),
}


class InvalidRoster(DomainError, code="invalid_roster"):
    """The table can't be read, or one of its lines is invalid."""


@dataclass
class RosterEntry:
    """A line of the table. `errors` say why it can't become an account."""

    line: int
    username: str
    role: str = Role.ANNOTATOR
    phases: Sequence[Phase] = ()
    phase_role: str = PhaseRole.ANNOTATOR
    access: str = LINK
    errors: list[str] = field(default_factory=list)


def read_roster(text: str) -> list[RosterEntry]:
    """Returns the table's lines below the header. Raises InvalidRoster if the text is no such table."""
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    table = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    try:
        header = [(name or "").strip().casefold() for name in table.fieldnames or []]
        unknown = [name for name in header if name not in COLUMNS]
        if "username" not in header or unknown or len(set(header)) < len(header):
            raise InvalidRoster(f"The first line names the columns: username, and any of {', '.join(COLUMNS[1:])}.")
        table.fieldnames = header
        rows = [(table.line_num, row) for row in table]
    except csv.Error as error:
        raise InvalidRoster(f"Line {table.line_num}: this is not CSV ({error}).") from None
    if not 0 < len(rows) <= MOST_ROWS:
        raise InvalidRoster(f"Add 1 to {MOST_ROWS:,} people at once; the table has {len(rows):,}.")
    known = {phase.name: phase for phase in Phase.objects.all()}
    entries = [_entry(line, row, known) for line, row in rows]
    _check_names(entries)
    return entries


def _entry(line: int, row: dict[str | None, str | list[str] | None], known: dict[str, Phase]) -> RosterEntry:
    cells = {str(name): str(value or "").strip() for name, value in row.items() if name is not None}
    found = RosterEntry(line, cells["username"])
    if None in row:
        found.errors.append("This line has more cells than there are columns.")
    for column, choices in CHOICES.items():
        _choose(found, column, cells.get(column, ""), choices)
    named = [cell] if (cell := cells.get("phases", "")) in known else re.split(r"\s*[;|]\s*", cell)
    named = [name for name in named if name]
    found.errors += [f"There is no phase “{name}”." for name in named if name not in known]
    found.phases = [known[name] for name in dict.fromkeys(named) if name in known]
    if not cells.get("phase_role"):
        found.phase_role = PhaseRole.default_for(found.role)
    if found.phase_role == PhaseRole.EXPERT and not named:
        found.errors.append("An expert needs a phase.")
    if found.phase_role == PhaseRole.ML_STAFF != found.role:
        found.errors.append("Only ML staff run a phase.")
    return found


def _choose(entry: RosterEntry, column: str, given: str, choices: dict[str, str]) -> None:
    """Sets the entry's column, or adds an error. Choices match by value or label, in any case."""
    by_name = {name.casefold().replace("_", " "): value for value, label in choices.items() for name in (value, label)}
    if not given:
        return
    if (value := by_name.get(given.casefold().replace("_", " "))) is None:
        entry.errors.append(f"“{given}” is not a valid {column.replace('_', ' ')}: {', '.join(choices)}.")
    else:
        setattr(entry, column, value)


def _check_names(entries: Sequence[RosterEntry]) -> None:
    taken = set(User.objects.values_list("name_key", flat=True))
    lines = dict[str, int]()
    for entry in entries:
        entry.username = User.normalize_username(entry.username)
        try:
            User._meta.get_field("username").clean(entry.username, None)
            UnicodeUsernameValidator()(entry.username)
        except ValidationError as error:
            entry.errors += error.messages
            continue
        key = names.key(entry.username)
        if key in taken:
            entry.errors.append("Somebody has this name, or one that looks like it.")
        elif key in lines:
            entry.errors.append(f"Line {lines[key]} has this name, or one that looks like it.")
        lines.setdefault(key, entry.line)


@transaction.atomic
def make_accounts(
    *, entries: Sequence[RosterEntry], link_days: int, token_expires_at: datetime | None, now: datetime, by: User
) -> list[str]:
    """Makes all accounts or none. Returns the secret of each link or token, which can't be shown again.

    Raises InvalidRoster if a line has an error.
    """
    bad = next((entry for entry in entries if entry.errors), None)
    if bad:
        raise InvalidRoster(f"Line {bad.line}: {bad.errors[0]}")
    made = [accounts.add_person(username=entry.username, password=None, role=entry.role, by=by) for entry in entries]
    _add_to_phases(dict(zip(made, entries, strict=True)), by)
    secrets = []
    for person, entry in zip(made, entries, strict=True):
        if entry.access == LINK:
            secrets.append(invitations.offer_account(person=person, days=link_days, now=now, by=by))
        else:
            reads = entry.access == READ_ONLY_TOKEN
            made_token = tokens.make_token(
                user=person, name="first", is_read_only=reads, expires_at=token_expires_at, by=by
            )
            secrets.append(made_token[1])
    return secrets


def _add_to_phases(entry_of: dict[User, RosterEntry], by: User) -> None:
    rows = [
        Membership(phase=phase, user=person, role=entry.phase_role)
        for person, entry in entry_of.items()
        for phase in entry.phases
    ]
    Membership.objects.bulk_create(rows)
    for phase in {row.phase for row in rows}:
        added = [row.user.username for row in rows if row.phase == phase]
        audit.record(by=by, act=AuditAct.ADD_MEMBERS, on=phase, after={"people": added})
