"""Endpoints: exports, the label filter, the pool, problems, withdrawals."""
