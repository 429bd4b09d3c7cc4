"""Promises about released notes."""
