"""Individual risk: the chance to pick a person's record when the data are a sample with known weights.

R. Benedetti & L. Franconi, "Statistical and technological solutions for controlled data dissemination"
(1998); L. Franconi & S. Polettini, "Individual risk estimation in μ-Argus: a review" (2004).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sfumato.core.errors import BadInput, nearest
from sfumato.core.verdict import Threat
from sfumato.table.risk.class_sizes import checked_sizes, number_of_persons
from sfumato.table.risk.prosecutor import DEFAULT_THRESHOLD, exact_threshold
from sfumato.table.wildcards import wildcard_frequencies

Numbers = NDArray[np.float64]
Formula = Literal["exact", "approximate"]

ROUNDING = 1e-9
"""the share by which a sum of weights may fall below the count of records through rounding alone"""
CLOSED_UP_TO = 30
"""classes of fewer persons go by the recurrence, larger ones by the series, which then needs few terms"""
SMALL_CHANCE = 0.25
"""the recurrence multiplies errors by p / (1 − p), so it is used below this p only"""


@dataclass(frozen=True)
class IndividualRisk:
    """The chance that a record is a certain person's, for people who may or may not be in the sample.

    A class has f persons in the data, who stand for F in the population (the sum of their weights). How many
    there really are is not known: it is taken to be distributed as the number of draws until the f-th success
    with chance p = f / F, and the risk of each of them is

        r = E[1/F | f] = ∫₀¹ u^(f − 1) / (1 + u (1 − p) / p) du = (p / f) · ₂F₁(1, 1; f + 1; 1 − p).

    That is ln(1/p) · p / (1 − p) for a sample unique and 1 / f for a class that is complete (p = 1).
    ``formula="approximate"`` takes p / (f − (1 − p)) from f = 3 on, as most programs do by default.

    - ``expected`` = Σ r over the persons: how many records a journalist would get right;
    - ``average`` = expected / N, the global risk; ``highest`` and ``lowest`` over the persons;
    - ``above``, ``share_above``: persons with r > threshold, strictly.

    It is about linking records to people on the declared quasi-identifiers by somebody who does not know who
    is in the sample. It says nothing about sensitive values, nor about people known to be in the data: their
    risk is the prosecutor's.

    >>> risk = IndividualRisk.of([1, 2, 4], [8, 110, 4])
    >>> [round(float(r), 4) for r in risk.risks]
    [0.2971, 0.0171, 0.25]
    >>> print(risk)
    individual risk: 1.3 of 7 expected to be found (19.0 %), highest 29.7 %; 5 persons are above 20 % (71.4 %)
    """

    risks: Numbers = field(repr=False, compare=False)
    """r for every class, in the order in which they were given; for every record by ``of_records``"""
    expected: float
    average: float
    highest: float
    lowest: float
    threshold: Fraction
    above: int
    share_above: float
    persons: int
    formula: Formula
    threat: ClassVar[Threat] = Threat.IDENTITY

    @classmethod
    def of(
        cls,
        sizes: ArrayLike,
        population: ArrayLike,
        persons: int | None = None,
        threshold: Fraction | float = DEFAULT_THRESHOLD,
        formula: Formula = "exact",
    ) -> IndividualRisk:
        """Measure it from the persons of each class and the sum of their weights.

        For one sampling fraction π give ``population = sizes / π``. ``persons`` is given when some are in
        several classes: then ``expected`` and shares of persons are upper bounds.
        """
        counts = checked_sizes(sizes)
        return cls._summed(counts, counts, population, number_of_persons(counts, persons), threshold, formula)

    @classmethod
    def of_records(
        cls,
        frequencies: ArrayLike,
        population: ArrayLike,
        threshold: Fraction | float = DEFAULT_THRESHOLD,
        formula: Formula = "exact",
    ) -> IndividualRisk:
        """Measure it record by record, where no classes exist: see ``weighted_wildcard_frequencies``."""
        counts = checked_sizes(frequencies)
        return cls._summed(counts, np.ones_like(counts), population, len(counts), threshold, formula)

    @classmethod
    def _summed(
        cls,
        counts: NDArray[np.int64],
        people: NDArray[np.int64],
        population: ArrayLike,
        persons: int,
        threshold: Fraction | float,
        formula: Formula,
    ) -> IndividualRisk:
        limit = exact_threshold(threshold)
        if not persons:
            raise BadInput("there is nobody whose risk could be measured", where="individual risk")
        risks = individual_risks(counts, population, formula)
        risks.flags.writeable = False
        highest = float(risks.max())
        expected = min(float((people * risks).sum()), highest * persons)
        above = min(int(people[risks > float(limit)].sum()), persons)
        return cls(
            risks,
            expected,
            expected / persons,
            highest,
            float(risks.min()),
            limit,
            above,
            above / persons,
            persons,
            formula,
        )

    def __str__(self) -> str:
        noun = "person is" if self.above == 1 else "persons are"
        return (
            f"individual risk: {self.expected:,.1f} of {self.persons:,} expected to be found "
            f"({100 * self.average:.1f} %), highest {100 * self.highest:.1f} %; {self.above:,} {noun} above "
            f"{100 * float(self.threshold):.3g} % ({100 * self.share_above:.1f} %)"
        )


def individual_risks(counts: NDArray[np.int64], population: ArrayLike, formula: Formula = "exact") -> Numbers:
    """Return r for pairs (f, F): f persons of the data stand for F of the population.

    >>> individual_risks(np.array([1, 3]), [1.0, 300.0]).round(6).tolist()
    [1.0, 0.004953]
    """
    if formula not in get_args(Formula):
        raise BadInput(
            f"there is no formula '{formula}'",
            where="individual risk",
            remedy=nearest(formula, get_args(Formula)),
        )
    stand_for = _checked_population(counts, population)
    # Many classes share one pair, above all where all weights are the same.
    pairs, back = np.unique(counts + 1j * stand_for, return_inverse=True)
    size: Numbers = pairs.real
    chance: Numbers = size / pairs.imag
    if formula == "exact":
        risks = _exact(size, chance)
    else:
        risks = chance / np.maximum(size - (1 - chance), chance)
        few = size < 3
        risks[few] = _exact(size[few], chance[few])
    spread: Numbers = risks[back]
    return spread


def weighted_wildcard_frequencies(
    codes: NDArray[np.integer], missing: NDArray[np.bool_], weights: ArrayLike
) -> tuple[NDArray[np.int64], Numbers]:
    """Return for each record f and F where a missing value agrees with every value.

    ``codes[j, r]`` is the value of record r in column j, ``missing[j, r]`` says that there is none, and
    ``weights[r]`` how many of the population record r stands for.

    >>> weighted_wildcard_frequencies(
    ...     np.array([[0, 0, 1]]), np.array([[False, True, False]]), [2.5, 4.0, 10.0]
    ... )
    (array([2, 3, 2]), array([ 6.5, 16.5, 14. ]))
    """
    stands_for = np.asarray(weights, np.float64)
    if stands_for.shape != (codes.shape[1],) or not np.isfinite(stands_for).all() or (stands_for <= 0).any():
        raise BadInput("every record needs a weight, a number above 0", where="individual risk")
    # Sums are counted in whole units, as fine as 62 bits allow.
    unit = 2.0 ** np.floor(61 - np.log2(max(float(stands_for.sum()), 1.0)))
    total = wildcard_frequencies(codes, missing, np.rint(stands_for * unit).astype(np.int64))
    return wildcard_frequencies(codes, missing), total / unit


def _checked_population(counts: NDArray[np.int64], population: ArrayLike) -> Numbers:
    stand_for = np.atleast_1d(np.asarray(population, np.float64))
    if stand_for.shape != counts.shape:
        raise BadInput(
            f"{len(counts):,} classes need as many sums of weights, not {stand_for.size:,}",
            where="individual risk",
        )
    if not np.isfinite(stand_for).all():
        raise BadInput(
            f"{int((~np.isfinite(stand_for)).sum()):,} classes have a weight that is no number",
            where="individual risk",
            remedy="give every record a weight of at least 1",
        )
    short = int((stand_for < counts * (1 - ROUNDING)).sum())
    if short:
        raise BadInput(
            f"{short:,} classes stand for fewer people of the population than they have in the data",
            where="individual risk",
            remedy="weights must be at least 1 on average in every class",
        )
    return np.maximum(stand_for, counts)


def _exact(size: Numbers, chance: Numbers) -> Numbers:
    """Return (p / f) · ₂F₁(1, 1; f + 1; 1 − p)."""
    risks = np.empty(len(size))
    closed = (size < CLOSED_UP_TO) & (chance < SMALL_CHANCE)
    risks[closed] = _by_recurrence(size[closed], chance[closed])
    risks[~closed] = _by_series(size[~closed], chance[~closed])
    return risks


def _by_recurrence(size: Numbers, chance: Numbers) -> Numbers:
    """Climb from r(1) = ln(1/p) · p / q by r(f + 1) = (1/f − r(f)) · p / q, which ∫ u^(f − 1) gives."""
    odds = chance / (1 - chance)
    risk = -np.log(chance) * odds
    for f in range(1, int(size.max(initial=1))):
        risk = np.where(size > f, (1 / f - risk) * odds, risk)
    return risk


def _by_series(size: Numbers, chance: Numbers) -> Numbers:
    """Sum p / f · Σ_j q^j · j! f! / (f + j)!: all terms are positive, and each is smaller than the last."""
    total, term = np.ones(len(size)), np.ones(len(size))
    j = 0
    while term.size and bool((term > 1e-18 * total).any()):
        j += 1
        term = term * ((1 - chance) * j / (size + j))
        total += term
    return total * chance / size
