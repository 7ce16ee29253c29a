"""Counts that are kept instead of computed on each request."""
