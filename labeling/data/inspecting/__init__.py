"""Files of any format: what an import would find, before a row is stored, and the import."""
