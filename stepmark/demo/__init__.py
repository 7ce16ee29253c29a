"""The demo installation, with its problems and guidelines."""
