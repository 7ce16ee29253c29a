"""The texts offered at a step: other solutions, alternatives, generated texts."""
