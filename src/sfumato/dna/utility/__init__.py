"""How much was lost."""
