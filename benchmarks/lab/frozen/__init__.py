"""Experiment 2 with a frozen selector."""
