"""Endpoints of runs with a file: imports, data releases."""
