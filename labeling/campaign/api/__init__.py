"""Endpoints: phases, settings, rounds, gold, agreement, dashboard."""
