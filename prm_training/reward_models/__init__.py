"""Trained models in use: promotion, the verifier, second looks."""
