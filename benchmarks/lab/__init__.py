"""The paper's experiments in small, on simulated problems with known answers."""
