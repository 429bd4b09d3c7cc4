"""How exposed rows are."""
