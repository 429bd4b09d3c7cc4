"""Set-valued data: each person has a set of codes (diagnoses, products, search terms)."""
