"""The demo world: problems with an exact judge, solutions with systematic mistakes, scripted annotators."""
