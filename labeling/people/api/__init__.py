"""Endpoints: session, tokens, people, members, invitations, rosters."""
