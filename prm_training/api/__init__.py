"""Endpoints: runs, imports, the pool, selections, reward models, the verifier."""
