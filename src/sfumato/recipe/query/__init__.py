"""Releases under differential privacy, by recipe or by call."""
