"""Detectors: each proposes spans in a text, with a kind and a certainty."""
