"""Grades final answers: right, wrong or unsure."""
