"""The statistical database: data stay in house, analysts ask, answers are noisy, a budget ends it."""
