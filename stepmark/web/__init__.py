"""Answers outside of the API: the client's page, errors, and the middleware that every answer passes."""
