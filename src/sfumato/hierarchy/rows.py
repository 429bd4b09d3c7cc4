"""A ladder as rows and as text: so that a release can carry the hierarchy it was made with."""

from __future__ import annotations

import csv
import io

from sfumato.hierarchy.ladder import Ladder
from sfumato.hierarchy.table import MISSING


def ladder_rows(ladder: Ladder, level: int = 0) -> list[tuple[str, ...]]:
    """Return one path for each group of a level, from its label to the top; missing is empty.

    ``HierarchyTable.of`` reads them back to the same rungs and labels. Only groups that hold values
    of the data are in a ladder: rows from level 0 on therefore tell which values occur. A release
    takes the level that it publishes.

    >>> from sfumato.core.domain import Domain
    >>> from sfumato.hierarchy.intervals import Intervals
    >>> ladder_rows(Intervals(5).ladder(Domain.of("age", [21, 23, None])))
    [('21', '20-24', '*'), ('23', '20-24', '*'), ('', '', '*')]
    """
    start = ladder.rungs[level]
    code_of = {group: code for code, group in reversed(list(enumerate(start.tolist())))}
    return [
        tuple(
            ladder.labels[above][ladder.rungs[above, code_of[group]]] or MISSING
            for above in range(level, ladder.height + 1)
        )
        for group in range(len(ladder.labels[level]))
    ]


def ladder_csv(ladder: Ladder, level: int = 0, delimiter: str = ";") -> str:
    """Return the rows as the text of a hierarchy file."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(ladder_rows(ladder, level))
    return text.getvalue()
