"""Read sequences and genotypes from files."""
