"""What an installation says of itself to those who watch it: log lines, errors to Sentry, traces to OpenTelemetry."""
