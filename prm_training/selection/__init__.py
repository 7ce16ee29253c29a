"""Selects what to label next: policies, candidates, the random arm, publication."""
