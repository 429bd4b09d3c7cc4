"""Ways to protect rows, and to publish statistics."""
