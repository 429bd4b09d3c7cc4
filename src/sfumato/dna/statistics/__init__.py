"""Figures of sites, counted over people."""
