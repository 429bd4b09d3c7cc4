"""DNA: sequences, genotypes, and the statistics made from them."""
