"""Which two data sets are neighbours: what differential privacy promises to hide."""

from __future__ import annotations

from enum import StrEnum


class Neighbours(StrEnum):
    """How two neighbouring data sets differ. Named wherever a price or a sensitivity is."""

    ADD_REMOVE = "add-remove"
    """one person more or less, with all their rows: the number of people is protected too"""
    SUBSTITUTION = "substitution"
    """one person replaced by another: the number of people is public; costs up to twice as much"""

    @property
    def in_words(self) -> str:
        """Say it in a report."""
        return {
            Neighbours.ADD_REMOVE: "one person more or less",
            Neighbours.SUBSTITUTION: "one person replaced by another",
        }[self]
