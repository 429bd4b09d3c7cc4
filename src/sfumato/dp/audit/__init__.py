"""Auditing mechanisms from samples: what ε they have at least, and whether that is more than they claim."""
