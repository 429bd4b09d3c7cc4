"""Journalist and marketer risk: the adversary does not know who is in the data, and has a list of people.

K. El Emam & F. K. Dankar, "Protecting privacy using k-anonymity", Journal of the American Medical
Informatics Association 15(5) (2008); F. K. Dankar & K. El Emam, "A method for evaluating marketer
re-identification risk" (2010); K. El Emam, "Guide to the De-Identification of Personal Health Information"
(2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sfumato.core.verdict import Threat
from sfumato.table.risk.against import Against
from sfumato.table.risk.class_sizes import checked_sizes, number_of_persons
from sfumato.table.risk.prosecutor import DEFAULT_THRESHOLD, exact_threshold

ITS_OWN_POPULATION = "no population was given: the file is taken for all of it, as for the prosecutor"


@dataclass(frozen=True)
class JournalistRisk:
    """The chance to put the right name of a list on a record, for one person of the file.

    Somebody in class i is one of F_i in the population, so each name fits with chance r_i = 1 / F_i. A list
    that holds fewer people than the file cannot be all of the population: r_i = 1 / max(f_i, F_i) then, as
    at most F_i of the f_i are on it. Over the J classes that are in the file and in the list, with n persons
    of the file in them:

    - ``highest`` = max r_i, ``lowest`` = min r_i;
    - ``average`` = max(J / Σ 1/r_i, (1/n) Σ f_i r_i): to find somebody of the list in the file, or
      somebody of the file in the list, whatever succeeds better;
    - ``share_above`` = (1/n) Σ {f_i : r_i > threshold}, strictly above, in whole numbers.

    Shares are of the ``persons`` whom somebody on the list matches: of the others (``unmatched``) nothing is
    known. Without a list the values are those of the prosecutor, which ``said`` tells: the true ones
    are lower. The measures see one way to know people: these columns, exactly.

    >>> risk = JournalistRisk.of(Against.of([1, 2, 5], [4, 4, 50]), threshold=0.2)
    >>> risk.highest, risk.share_above
    (0.25, 0.375)
    >>> print(risk)
    journalist risk: highest 25.0 %, average 10.6 %; 3 of 8 persons are above 20 % (37.5 %)
    """

    highest: float
    lowest: float
    average: float
    threshold: Fraction
    above: int
    share_above: float
    persons: int
    """of the file, with a match in the list"""
    unmatched: int = 0
    said: tuple[str, ...] = ()
    threat: ClassVar[Threat] = Threat.IDENTITY

    @classmethod
    def of(cls, against: Against, threshold: Fraction | float = DEFAULT_THRESHOLD) -> JournalistRisk:
        """Measure it against a list of the population."""
        limit = exact_threshold(threshold)
        found = _Matched.of(against)
        above = _above(found, limit)
        return cls(
            highest=1 / int(found.spread.min()),
            lowest=1 / int(found.spread.max()),
            average=min(
                max(len(found.spread) / int(found.spread.sum()), found.right / found.persons),
                1 / int(found.spread.min()),
            ),
            threshold=limit,
            above=above,
            share_above=above / found.persons,
            persons=found.persons,
            unmatched=against.unmatched,
            said=against.sentences(),
        )

    @classmethod
    def without_population(
        cls,
        sizes: ArrayLike,
        persons: int | None = None,
        threshold: Fraction | float = DEFAULT_THRESHOLD,
    ) -> JournalistRisk:
        """Bound it where no list is at hand: nobody outside the file looks like anybody in it."""
        counts = checked_sizes(sizes)
        total = number_of_persons(counts, persons)
        found = cls.of(Against.of(counts, counts, total), threshold)
        return cls(
            found.highest,
            found.lowest,
            found.average,
            found.threshold,
            found.above,
            found.share_above,
            found.persons,
            said=(ITS_OWN_POPULATION,),
        )

    def __str__(self) -> str:
        verb = "is" if self.above == 1 else "are"
        return (
            f"journalist risk: highest {100 * self.highest:.1f} %, average {100 * self.average:.1f} %; "
            f"{self.above:,} of {self.persons:,} persons {verb} above {100 * float(self.threshold):.3g} % "
            f"({100 * self.share_above:.1f} %)"
        )


@dataclass(frozen=True)
class MarketerRisk:
    """The share of the file that somebody is right about who puts a name of a list on every record.

    (1/n) Σ f_i r_i, with r_i as for the journalist. The marketer wants many rather than one: the measure is
    an average, under which single people may be found for sure.

    >>> print(MarketerRisk.of(Against.of([1, 2, 5], [4, 4, 50])))
    marketer risk: 0.85 of 8 persons would get their own name (10.6 %)
    """

    expected: float
    """records that would get the right name"""
    share: float
    persons: int
    unmatched: int = 0
    said: tuple[str, ...] = ()
    threat: ClassVar[Threat] = Threat.IDENTITY

    @classmethod
    def of(cls, against: Against) -> MarketerRisk:
        """Measure it against a list of the population."""
        found = _Matched.of(against)
        right = min(found.right, float(found.persons))
        return cls(right, right / found.persons, found.persons, against.unmatched, against.sentences())

    @classmethod
    def without_population(cls, sizes: ArrayLike, persons: int | None = None) -> MarketerRisk:
        """Bound it where no list is at hand."""
        counts = checked_sizes(sizes)
        found = cls.of(Against.of(counts, counts, number_of_persons(counts, persons)))
        return cls(found.expected, found.share, found.persons, said=(ITS_OWN_POPULATION,))

    def __str__(self) -> str:
        return (
            f"marketer risk: {self.expected:,.4g} of {self.persons:,} persons would get their own name "
            f"({100 * self.share:.1f} %)"
        )


@dataclass(frozen=True)
class _Matched:
    """The classes that are in the file and in the list."""

    sizes: NDArray[np.int64]
    """f_i"""
    spread: NDArray[np.int64]
    """1 / r_i"""
    persons: int

    @classmethod
    def of(cls, against: Against) -> _Matched:
        both = (against.sample > 0) & (against.population > 0)
        sizes = against.sample[both]
        # Who is in several classes was counted in each: at most everybody has a match.
        persons = min(int(sizes.sum()), against.persons)
        return cls(sizes, np.maximum(sizes, against.population[both]), persons)

    @property
    def right(self) -> float:
        """Σ f_i r_i."""
        return float((self.sizes / self.spread).sum())


def _above(found: _Matched, limit: Fraction) -> int:
    """Count persons with 1/s > p/q, that is s < q/p, that is s ≤ ⌈q/p⌉ − 1 for whole s."""
    largest = int(found.spread.max())
    below = -(-limit.denominator // limit.numerator) - 1 if limit else largest
    return min(int(found.sizes[found.spread <= min(below, largest)].sum()), found.persons)
