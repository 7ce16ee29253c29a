"""`stepmark doctor`: what works in this installation, and what doesn't."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from stepmark.doctor import checks


class Command(BaseCommand):
    help = "Look at this installation: what works, what doesn't, and what to do about it."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = 0
        for finding in checks.look():
            wrong += finding.is_wrong
            mark = self.style.ERROR("WRONG") if finding.is_wrong else self.style.SUCCESS("ok   ")
            self.stdout.write(f"{mark} {finding.about:11} {finding.text}")
            self.stdout.flush()
        if wrong:
            raise CommandError(f"{wrong} {'thing is' if wrong == 1 else 'things are'} wrong.")
