"""One module per file format: parsing and writing, without the database."""
