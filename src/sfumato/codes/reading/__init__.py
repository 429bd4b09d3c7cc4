"""Sets of codes as they are met: long tables, cells, lists, baskets, search logs; and published sets."""

from sfumato.codes.reading.layouts import Baskets, Cells, Lists, Long, SearchLog, SetLayout
from sfumato.codes.reading.published import read_published
from sfumato.codes.reading.read import Counts, ReadCodes, read_codes

__all__ = [
    "Baskets",
    "Cells",
    "Counts",
    "Lists",
    "Long",
    "ReadCodes",
    "SearchLog",
    "SetLayout",
    "read_codes",
    "read_published",
]
