"""`make reference`: writes the pages of the site that follow from the code, the command line and the API."""

import json
import re
from argparse import SUPPRESS, Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management import get_commands, load_command_class

from prm_training.prm import __main__ as prm
from stepmark.__main__ import COMMANDS
from stepmark.client import __main__ as loop

HERE = Path(__file__).resolve().parent
SCHEMA = HERE.parent / "stepmark" / "schema" / "openapi.json"
# Django's own options of every command.
SHARED = {"version", "verbosity", "settings", "pythonpath", "traceback", "no_color", "force_color", "skip_checks"}
VERBS = ("get", "post", "put", "patch", "delete")
BY = "<!-- Written by `make reference`. -->\n"


def command_parsers() -> dict[str, ArgumentParser]:
    """The parser of each command of `stepmark --help`, of `stepmark prm` each of the three, by its name."""
    apps = get_commands()
    own = {name: load_command_class(apps[name], name).create_parser("stepmark", name) for name in COMMANDS}
    return own | {"loop": loop.parser("stepmark loop")} | {f"prm {name}": each for name, each in _prm().items()}


def _prm() -> dict[str, ArgumentParser]:
    (subparsers,) = (each for each in prm.parser("stepmark prm")._actions if isinstance(each, _SubParsersAction))
    return dict(subparsers.choices)


def command_line() -> str:
    parts = [(HERE / "reference" / "command-line.head.md").read_text()]
    for name, parser in command_parsers().items():
        parts.append(f"## `stepmark {name}`\n\n{_prose(parser.description or '')}\n\n" + _options(parser))
        if parser.epilog:
            parts.append(_prose(parser.epilog) + "\n")
    return BY + "\n".join(parts)


def _prose(text: str) -> str:
    return " ".join(text.replace("%%", "%").split())


def _options(parser: ArgumentParser) -> str:
    shown = [action for action in parser._actions if action.dest not in {"help", *SHARED} and action.help != SUPPRESS]
    if not shown:
        return "No options of its own.\n"
    shown.sort(key=lambda action: bool(action.option_strings))  # what has to be named comes first
    rows = [f"| {_names(action)} | {_meaning(action)} |" for action in shown]
    return "\n".join(["| option | meaning |", "|---|---|", *rows, ""])


def _names(action: Action) -> str:
    if not action.option_strings:
        return f"`{action.dest if action.metavar is None else action.metavar}`"
    takes = f" {_value(action)}" if action.nargs != 0 else ""
    return ", ".join(f"`{name}{takes}`" for name in action.option_strings)


def _value(action: Action) -> str:
    if isinstance(action.metavar, str):
        name = action.metavar
    else:
        name = "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()
    return f"{name} …" if action.nargs in {"+", "*"} else name


def _meaning(action: Action) -> str:
    text = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%").replace("|", ",")
    if bare := re.fullmatch(r"\((?:default: )?(.*)\)", text):
        return f"default: {bare[1] or 'none'}"
    has_default = isinstance(action.default, str | int | float) and action.default is not False
    return text or (f"default: {action.default}" if has_default else "")


def api() -> str:
    """The addresses by what they concern, in the schema's words."""
    schema: dict[str, Any] = json.loads(SCHEMA.read_text())
    by_tag: dict[str, list[str]] = {}
    for path, verb, operation in _operations(schema):
        row = f"| {verb.upper()} | `{path}` | {operation.get('summary', '').replace('|', chr(92) + '|')} |"
        by_tag.setdefault(operation["tags"][0], []).append(row)
    parts = [(HERE / "reference" / "api.head.md").read_text()]
    for tag, rows in by_tag.items():
        name = tag.replace("-", " ").capitalize()
        parts.append("\n".join([f"## {name}\n", "| | address | what it does |", "|---|---|---|", *rows, ""]))
    return BY + "\n".join(parts)


def _operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, operations in schema["paths"].items():
        for verb in VERBS:
            if verb in operations:
                yield path, verb, operations[verb]


PAGES = {HERE / "reference" / "command-line.md": command_line, HERE / "reference" / "api.md": api}

if __name__ == "__main__":
    import django

    django.setup()
    for page, written in PAGES.items():
        page.write_text(written())
