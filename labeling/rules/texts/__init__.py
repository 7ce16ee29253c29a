"""The rules of texts: steps, final answers and how they are written, equal statements."""
