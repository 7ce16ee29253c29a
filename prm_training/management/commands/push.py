from importlib.util import find_spec
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from labeling.errors import DomainError
from prm_training.data_releases import hub
from prm_training.models import DataRelease


class Command(BaseCommand):
    help = "Push a data release to a hub of data sets, such as huggingface.co."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("release", help="its name")
        parser.add_argument("repo", help="of the data set on the hub: lab/name")
        parser.add_argument("--private", action="store_true", help="if the data set is new")
        parser.add_argument("--endpoint", help="of another hub (default: HF_ENDPOINT, else huggingface.co)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Pushes with huggingface_hub's own token (HF_TOKEN, `hf auth login`): an option would show it to others."""
        if find_spec("huggingface_hub") is None:
            raise CommandError("This needs huggingface_hub: pip install 'stepmark[worker]'.")
        release = DataRelease.objects.filter(name=options["release"]).first()
        if release is None:
            raise CommandError(f"There is no data release “{options['release']}”.")
        where = {"repo": options["repo"], "is_private": options["private"], "endpoint": options["endpoint"]}
        try:
            address = hub.push(release, **where)
        except DomainError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Pushed “{release}” to {address}")
