"""Detectors that go by the form of things: what needs no language, and the machinery for what does."""
