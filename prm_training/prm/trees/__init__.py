"""Labelled trees: the files that hold them, their tokens, packing and attention."""
