"""Spans that instrumented programs export, of which those of models' calls make traces."""
