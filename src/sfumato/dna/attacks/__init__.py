"""Adversaries that are really run."""
