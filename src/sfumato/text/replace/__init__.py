"""Replacements: what stands where something was found."""
