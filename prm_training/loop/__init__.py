"""A phase's loop: its state, the next act, the autopilot."""
