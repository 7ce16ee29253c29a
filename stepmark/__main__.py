"""The command line: `stepmark COMMAND`, or `python -m stepmark COMMAND`."""

import os
import sys
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec

from django.core.exceptions import ImproperlyConfigured
from django.core.management import ManagementUtility, get_commands, load_command_class
from django.db import DatabaseError

from labeling.data.paused_gc import kept_for_good

COMMANDS = ["demo", "run", "web", "worker", "migrate", "createsuperuser", "import", "export", "regrade", "recount"]
COMMANDS += ["push", "person", "backup", "restore", "doctor"]
LOOP = "Carry a phase round its loop on a running installation, over HTTP."
PRM = "Train, score and evaluate on files alone, without a database."


class CommandLine(ManagementUtility):
    """Django's command line, with our own overview; its other commands work, too."""

    def main_help_text(self, commands_only: bool = False) -> str:
        apps = get_commands()
        helps = {name: load_command_class(apps[name], name).help for name in COMMANDS} | {"loop": LOOP, "prm": PRM}
        width = max(map(len, helps))
        lines = [f"  {name:{width}}  {told}" for name, told in helps.items()]
        return "\n".join(["usage: stepmark COMMAND [OPTIONS]", "", *lines, "", "stepmark COMMAND --help says more."])


def main(argv: list[str] | None = None) -> None:
    arguments = (sys.argv if argv is None else argv)[1:]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "stepmark.settings")
    match arguments:
        case ["--version" | "version"]:
            sys.stdout.write(f"Stepmark {version('stepmark')}\n")
        case ["loop", *rest]:
            import_module("stepmark.client.__main__").main(rest, prog="stepmark loop")
        case ["prm", *rest]:
            prm(rest)
        case _:
            try:
                CommandLine(["stepmark", *arguments]).execute()
            except ImproperlyConfigured as error:
                sys.exit(str(error))
            except DatabaseError:
                _say_what_ails_the_database()
                raise


def _say_what_ails_the_database() -> None:
    """Exits with a sentence if no command can use the database."""
    from stepmark import tables  # noqa: PLC0415  what it needs is set up by now

    try:
        tables.check()
    except tables.NotMigrated as error:
        sys.exit(str(error))


def prm(arguments: list[str]) -> None:
    """Runs `prm_training.prm`'s own command line, which needs no settings."""
    if find_spec("torch") is None:
        sys.exit("This needs PyTorch: pip install 'stepmark[worker]'.")
    with kept_for_good():
        program = import_module("prm_training.prm.__main__")
    program.main(arguments, prog="stepmark prm")


if __name__ == "__main__":
    main()
