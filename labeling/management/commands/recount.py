from typing import Any

from django.core.management.base import BaseCommand

from labeling.counts import recounts
from labeling.models import Round


class Command(BaseCommand):
    help = "Count what is kept of each round: tasks, seats and labellings. Put right what is wrong; people may go on."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = sum(recounts.mend(pk) for pk in Round.objects.values_list("pk", flat=True))
        self.stdout.write(f"Put {wrong} right." if wrong else "Everything was right.")
