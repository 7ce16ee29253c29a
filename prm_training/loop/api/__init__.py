"""Endpoints: the loop and its autopilots."""
