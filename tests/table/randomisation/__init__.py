"""Randomised values and what they promise."""
