"""The reward model and the jobs around it."""
