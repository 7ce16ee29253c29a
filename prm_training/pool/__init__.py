"""Fills the pool: imports, generations, and undoing them."""
