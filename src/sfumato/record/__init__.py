"""Several kinds of data about the same people: attack chains."""
