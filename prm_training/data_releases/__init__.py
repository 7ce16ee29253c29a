"""Releases of data: the labels as they stood, with a card that says what they are and how good."""
