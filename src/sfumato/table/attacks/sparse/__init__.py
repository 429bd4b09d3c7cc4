"""Ratings, search logs and other sparse records: what their attacks share."""
