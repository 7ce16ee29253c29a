"""Messages of an installation to those who watch it: log lines, errors to Sentry, traces to OpenTelemetry."""
