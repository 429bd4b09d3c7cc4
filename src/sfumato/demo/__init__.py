"""Synthetic data to try everything on."""
