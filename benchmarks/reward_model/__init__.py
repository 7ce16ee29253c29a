"""Training, scoring and what a model learns, against other ways."""
