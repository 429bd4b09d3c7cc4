"""Languages: for each a folder with its patterns, lexicons and trained model."""
