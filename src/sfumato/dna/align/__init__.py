"""Bring sequences to the same length, and find where they differ."""
