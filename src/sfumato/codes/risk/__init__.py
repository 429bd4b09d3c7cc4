"""How exposed people are by their codes."""
