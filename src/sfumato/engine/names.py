"""Column names that the engines keep for themselves; data may not use them."""

from __future__ import annotations

ROW_ID = "__row"
"""numbers the rows of a source when a method or an order needs it"""
HIT = "__hit"
"""marks suppressed rows while they are recoded"""
BOX = "__box"
"""numbers the boxes of a recoding"""
RESERVED = (ROW_ID, HIT, BOX)
