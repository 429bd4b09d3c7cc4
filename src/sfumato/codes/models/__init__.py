"""Promises about sets, by the names that recipes use."""
