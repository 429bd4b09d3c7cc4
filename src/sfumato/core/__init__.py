"""What every room shares: roles, verdicts, releases, errors, progress."""
