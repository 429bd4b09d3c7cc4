"""Recipes over networks."""
