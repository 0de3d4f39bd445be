"""Profiles against a hand check, beside DuckDB alone and Frictionless; and what they cost."""
