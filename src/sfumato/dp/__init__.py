"""Differential privacy: mechanisms, what they cost, and how costs add up. Below all kinds of data."""
