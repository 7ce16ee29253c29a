from django.apps import AppConfig


class StepmarkConfig(AppConfig):
    name = "stepmark"

    def ready(self) -> None:
        """Makes the Celery app the current one: whoever enqueues asks for that. Starts what watches the processes."""
        from stepmark import celery  # noqa: F401, PLC0415  it reads the settings
        from stepmark.telemetry import services  # noqa: PLC0415  it reads them, too

        services.start()
