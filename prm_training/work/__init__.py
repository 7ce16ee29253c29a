"""The work that needs rows and torch: the only files that know both."""
