"""Perturbation of single records, one file for each way."""
