"""Measures scores: step metrics, best-of-N, benchmarks' own numbers, intervals."""
