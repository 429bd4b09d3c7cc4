"""What a price means for people: one among many, and households."""

from sfumato.query.risk.meaning import Household, households, meanings

__all__ = ["Household", "households", "meanings"]
