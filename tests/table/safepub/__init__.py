"""Differentially private records."""
