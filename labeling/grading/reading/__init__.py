"""Reads a final answer into a value that can be compared."""
