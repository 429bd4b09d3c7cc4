"""Recipes for a table and codes about the same people: two resources, one release."""
