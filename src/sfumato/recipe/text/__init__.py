"""Recipes for notes: from the recipe to the release, and back."""
