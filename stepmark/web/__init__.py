"""What answers outside of the API: the client's page, errors, and what every answer passes through."""
