"""Mechanisms: how an answer is made noisy. One idea per file; import what you need from its file."""
