"""The way out: what every release goes through, whatever kind of data it holds. Knows no kind by name."""
