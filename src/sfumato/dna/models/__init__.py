"""Promises about rows and statistics."""
