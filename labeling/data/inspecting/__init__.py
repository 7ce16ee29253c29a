"""Inspects a file before its import: what it would store, and what it would lose."""
