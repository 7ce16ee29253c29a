"""People, members, invitations, signing in."""
