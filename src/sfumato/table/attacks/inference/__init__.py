"""What can be inferred from a whole release: classifiers, tracing, randomised values."""
