from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from labeling import clock
from labeling.models import User
from labeling.people import erasure, personal_data


class Command(BaseCommand):
    help = "Export what is kept about one person, or end their account for good. Labels stay either way."
    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Returns a parser that refuses abbreviated options."""
        return super().create_parser(prog_name, subcommand, allow_abbrev=False, **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", help="whose data")
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--export", type=Path, metavar="FILE", help="write everything kept about them to the file")
        what.add_argument("--pseudonymise", action="store_true", help="put a random name for theirs, everywhere")
        what.add_argument("--erase", action="store_true", help="delete the person; their labels become nobody's")

    def handle(self, *args: Any, **options: Any) -> None:
        person = User.objects.exclude(pk=erasure.NOBODY).filter(username=options["username"]).first()
        if person is None:
            raise CommandError(f"There is nobody called “{options['username']}”.")
        if options["export"]:
            personal_data.record_export(person=person, by=None)
            try:
                with options["export"].open("w", encoding="utf-8") as file:
                    file.writelines(personal_data.lines(person))
            except OSError as error:
                raise CommandError(str(error)) from error
            self.stdout.write(f"Exported to {options['export']}.")
        elif options["pseudonymise"]:
            self.stdout.write(f"They are now {erasure.pseudonymise(person=person, now=clock.now())}.")
        else:
            erasure.erase(person=person, now=clock.now())
            self.stdout.write("Erased.")
