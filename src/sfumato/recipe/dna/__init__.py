"""Recipes over DNA: sequences, genotypes, and statistics of sites."""
