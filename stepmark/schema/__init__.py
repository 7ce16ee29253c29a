"""The API's schema: required fields, errors and examples; and its reference page."""
