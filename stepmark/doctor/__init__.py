"""Looks at an installation: what works, what doesn't, and what to do about it."""
