"""The annotator's page and the messages between it and the server."""
