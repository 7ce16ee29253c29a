from django.apps import AppConfig


class StepmarkConfig(AppConfig):
    name = "stepmark"

    def ready(self) -> None:
        """Makes the Celery app the current one, which enqueueing needs, and starts Sentry and OpenTelemetry."""
        from stepmark import celery  # noqa: F401, PLC0415  it reads the settings
        from stepmark.telemetry import services  # noqa: PLC0415  it reads them, too

        services.start()
