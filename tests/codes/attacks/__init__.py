"""Attacks on sets."""
