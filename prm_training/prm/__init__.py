"""The process reward model: labelled trees in, a model directory and scores out. Pure torch and transformers."""
