"""Endpoints: adjudication; labellings, searched and acted on many at once."""
