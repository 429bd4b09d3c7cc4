"""Utility: how much a release has lost."""
