"""Writes checkpoints of a training, and a model's README."""
