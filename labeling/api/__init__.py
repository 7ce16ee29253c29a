"""The parts that all endpoints share: errors, permissions, requests, filters, pagination."""
