"""SQL databases as sources, read through ADBC."""
