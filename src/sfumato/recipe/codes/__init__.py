"""Recipes for sets of codes: from the recipe to the release, and back."""
