"""Adversaries who know some of a person's codes."""
