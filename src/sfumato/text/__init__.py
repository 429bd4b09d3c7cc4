"""Clinical notes and other free text: find what points at people, and replace it."""
