"""Many notes: read, grouped by person, handled in several processes, and gone on with after a crash."""
