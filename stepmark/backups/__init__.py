"""Backups: an installation's rows, files and secret key in one archive, made while it runs; and their way back."""
