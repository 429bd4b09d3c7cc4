"""Average relative error of counting queries, answered from the release.

K. LeFevre, D. DeWitt and R. Ramakrishnan, "Workload-aware anonymization" (KDD 2006); J. Xu et al.,
"Utility-based anonymization using local recoding" (KDD 2006).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sfumato.core.errors import BadInput
from sfumato.core.measure import Measured
from sfumato.table.utility.conditions import condition_of
from sfumato.table.utility.predicates import Among, On, Ranges
from sfumato.table.utility.records import Conjunction, Records

_TRIES = 50
"""draws for each query until one counts somebody"""


def relative_error(actual: float, estimated: float) -> float:
    """RE(q) = |act(q) − est(q)| / act(q); where nothing is counted, one record is taken as the scale.

    >>> relative_error(1, 0.02)
    0.98
    """
    return abs(actual - estimated) / max(actual, 1.0)


@dataclass(frozen=True)
class QueryError:
    """The mean over a workload of the relative error of COUNT queries.

    A record of the release satisfies a condition on column j with the share r_j of its label that
    satisfies it (values inside a box are taken as spread evenly), so

        est(q) = Σ_records Π_j r_j,        RE(q) = |act(q) − est(q)| / act(q).

    With ``sql`` the workload is what is given. Otherwise ``queries`` are drawn from ``seed``, each on
    ``dimensions`` of the ``columns`` (the quasi-identifiers unless given), with ranges of an axis and
    sets of categories wide enough for about ``selectivity`` of the domain; a query that counts nobody
    is drawn again.

    It says how well counts survive, not means or models; ranges that follow the cuts of a method look
    better than those of a real analysis, so give real queries where there are some.
    """

    queries: int = 100
    dimensions: int = 2
    selectivity: float = 0.1
    columns: tuple[str, ...] = ()
    sql: tuple[str, ...] = ()
    seed: int = 0
    name: ClassVar[str] = "query-error"
    title: ClassVar[str] = "average relative error of queries (AvgRE)"
    range: ClassVar[str] = "0 …"
    meaning: ClassVar[str] = "by which part of the true count a count from the release is off, on average"

    def __post_init__(self) -> None:
        if self.queries < 1 or self.dimensions < 1:
            raise BadInput("queries and dimensions must be at least 1", where=self.name)
        if not 0 < self.selectivity <= 1:
            raise BadInput(
                "selectivity must be a share between 0 and 1", where=self.name, remedy="for example 0.1"
            )

    def measure(self, records: Records) -> Measured:
        """Answer the workload from both tables."""
        asked = [condition_of(text, records) for text in self.sql] or list(self._drawn(records))
        errors = [
            relative_error(records.expected(query, released=False), records.expected(query, released=True))
            for query in asked
        ]
        return Measured(
            float(np.mean(errors)),
            {
                "queries": len(errors),
                "median": float(np.median(errors)),
                "worst": float(np.max(errors)),
            },
        )

    def _drawn(self, records: Records) -> Iterator[list[Conjunction]]:
        columns = records.chosen(self.columns)
        if not columns:
            raise BadInput("there is no column to ask about", where=self.name, remedy="name 'columns'")
        random = np.random.default_rng(self.seed)
        dimensions = min(self.dimensions, len(columns))
        share = self.selectivity ** (1 / dimensions)
        for _ in range(self.queries):
            for _ in range(_TRIES):
                some = random.choice(len(columns), dimensions, replace=False)
                query: list[Conjunction] = [
                    {
                        columns[j]: _random_part(records, columns[j], share, random)
                        for j in sorted(some.tolist())
                    }
                ]
                if records.expected(query, released=False):
                    break
            yield query


def _random_part(records: Records, name: str, share: float, random: np.random.Generator) -> On:
    """Draw a range, or a set of values, that makes up a share of a domain."""
    reader = records.reader(name)
    if not reader.on_axis:
        size = len(reader.domain)
        chosen = random.choice(size, max(1, round(share * size)), replace=False)
        mask = np.zeros(reader.codes, np.bool_)
        mask[chosen] = True
        return Among(mask)
    placed = reader.placed
    low, high = float(placed[0]), float(placed[-1]) + reader.whole
    wide = share * (high - low)
    if reader.whole:
        wide = max(1.0, round(wide))
        start = float(random.integers(int(low), max(int(low), int(high - wide)) + 1))
    else:
        start = float(random.uniform(low, high - wide))
    return Ranges(((start, start + wide),))
