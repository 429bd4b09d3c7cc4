"""Write what is released."""
