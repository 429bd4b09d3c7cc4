"""How the tables of a ledger came to be: one revision per change, run from code."""
