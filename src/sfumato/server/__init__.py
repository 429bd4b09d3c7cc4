"""The query service: the database over HTTP, for several analysts at once."""
