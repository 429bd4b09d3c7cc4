"""Watching: patterns of attack in the log of questions. See ``scan``."""
