"""Releases without interaction: the whole budget is spent once, and what comes out can be shared."""
