"""Messages and events of other writers as chat has them: with a role and content."""
