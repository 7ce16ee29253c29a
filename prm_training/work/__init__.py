"""The jobs that need both the database and torch: no other package imports the two."""
