"""The ledger: budgets that cannot be overspent, and a log that cannot be rewritten."""
