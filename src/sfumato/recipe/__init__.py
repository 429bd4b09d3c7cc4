"""From a YAML recipe to a checked plan to a release."""
