"""Labels that need a second look: adjudication, corrections, reports and questions."""
