"""Phases and their rounds: settings, publishing, gold, screening, quality, consensus."""
