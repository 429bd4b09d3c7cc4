"""Relational data."""
