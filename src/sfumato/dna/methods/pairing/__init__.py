"""How rows are grouped so that the joins of the groups lose little: one file for each idea."""
