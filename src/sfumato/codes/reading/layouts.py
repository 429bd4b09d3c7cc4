"""How sets of codes lie in a file: five layouts that are met in practice."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.core.errors import BadInput

SEPARATORS = (";", "|", ",", " ")
"""what may stand between the codes of a cell, in the order in which it is looked for"""


@dataclass(frozen=True)
class Long:
    """One code on each row: ``person, code`` or ``person, visit, code``.

    The set of a person is the union over all rows; without ``person`` every row is one.
    """

    person: str | None
    code: str
    visit: str | None = None

    def __post_init__(self) -> None:
        if self.visit is not None and self.person is None:
            raise BadInput("a layout with visits needs the column of the person", where="layout")


@dataclass(frozen=True)
class Cells:
    """All codes of a row in one cell: ``401.1;295``.

    Without ``separator`` it is found: the first of ``;``, ``|`` and ``,`` that stands in some cell, else
    the blank. Blanks around a code are not part of it.
    """

    column: str
    separator: str | None = None
    person: str | None = None

    def __post_init__(self) -> None:
        if self.separator == "":
            raise BadInput("the separator is empty", where="layout", remedy="write one, or leave it out")


@dataclass(frozen=True)
class Lists:
    """All codes of a row in a list: a list column of Parquet or Arrow, an array in JSON lines."""

    column: str = "codes"
    person: str | None = None


@dataclass(frozen=True)
class Baskets:
    """One record on each line, codes between blanks: the ``.dat`` files of the FIMI repository (2003)."""


@dataclass(frozen=True)
class SearchLog:
    """A query log in the form in which AOL published one (2006).

    Items are the words of queries and the parts of addresses that were clicked. ``time`` and ``rank`` are
    named so that the recipe knows them; sets have no use for them. A column that is None, or one of
    ``url``, ``time`` and ``rank`` that the file has not, is passed over.
    """

    person: str = "AnonID"
    query: str | None = "Query"
    url: str | None = "ClickURL"
    time: str | None = "QueryTime"
    rank: str | None = "ItemRank"

    def __post_init__(self) -> None:
        if self.query is None and self.url is None:
            raise BadInput("a search log needs a column with queries or with addresses", where="layout")


SetLayout = Long | Cells | Lists | Baskets | SearchLog
