"""What was lost: measures over the original and the published sets."""
