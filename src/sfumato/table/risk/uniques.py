"""Uniques: people who are alone with their quasi-identifiers.

L. Sweeney, "Simple demographics often identify people uniquely", Carnegie Mellon University, 2000:
date of birth, sex and five-digit ZIP code single out most people of the United States.
"""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from sfumato.table.risk.class_sizes import checked_sizes, number_of_persons


@dataclass(frozen=True)
class Uniques:
    """People whose combination of quasi-identifiers nobody else in the data has.

    ``count`` = |{i : f_i = 1}| and ``share`` = count / N, with f_i persons in class i and N persons. They
    are unique in this file; whether they are unique in the population is another question.

    >>> print(Uniques.of([1, 1, 2, 4]))
    2 of 8 persons are unique (25.0 %)
    """

    count: int
    persons: int
    share: float

    @classmethod
    def of(cls, sizes: ArrayLike, persons: int | None = None) -> Uniques:
        """Count the classes of one person; ``persons`` is given when some are in several classes."""
        counts = checked_sizes(sizes)
        total = number_of_persons(counts, persons)
        alone = min(int((counts == 1).sum()), total)
        return cls(alone, total, alone / total if total else 0.0)

    def __str__(self) -> str:
        verb = "is" if self.count == 1 else "are"
        return f"{self.count:,} of {self.persons:,} persons {verb} unique ({100 * self.share:.1f} %)"
