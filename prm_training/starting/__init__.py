"""Starts, cancels and retries runs, and checks first that they can succeed."""
