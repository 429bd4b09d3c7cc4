"""What a release under differential privacy keeps, measured against the data: for the steward alone."""
