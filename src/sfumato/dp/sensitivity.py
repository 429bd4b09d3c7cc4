"""Sensitivity: how much one person can change an answer. From declared bounds, never from data; exact.

C. Dwork, F. McSherry, K. Nissim & A. Smith, "Calibrating noise to sensitivity in private data analysis"
(2006). For a statistic f with several numbers, over all neighbouring data sets D, D′:

    Δ₁ = max ‖f(D) − f(D′)‖₁    Δ₂² = max ‖f(D) − f(D′)‖₂²    Δ∞ = max ‖f(D) − f(D′)‖∞

Laplace noise goes by Δ₁, Gaussian noise by Δ₂², the exponential mechanism's scores by Δ∞. What counts as
neighbours decides: when one person is replaced by another, a GROUP BY loses a row in one cell and wins one in
another, so that Δ₁ doubles and Δ₂ grows by √2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from sfumato.core.errors import BadInput
from sfumato.dp.exact import DIGITS, Number, exact
from sfumato.dp.neighbours import Neighbours


@dataclass(frozen=True)
class Sensitivity:
    """Δ₁, Δ₂² and Δ∞ of a statistic, and the neighbours they hold for. Upper bounds, exact fractions.

    >>> romance = count()
    >>> action = count()
    >>> romance.beside(action).l1
    Fraction(2, 1)
    """

    l1: Fraction
    l2_squared: Fraction
    linf: Fraction
    neighbours: Neighbours = Neighbours.ADD_REMOVE

    @property
    def l2(self) -> Fraction:
        """Δ₂, rounded up at 18 decimal places."""
        units = self.l2_squared * 10 ** (2 * DIGITS)
        whole = math.ceil(units)
        root = math.isqrt(whole)
        return Fraction(root + (root * root < whole), 10**DIGITS)

    def beside(self, other: Sensitivity) -> Sensitivity:
        """Return the sensitivity of both answers together: a joint, or composite, question."""
        if self.neighbours is not other.neighbours:
            raise BadInput(
                "sensitivities for different neighbours do not add up",
                where="sensitivity",
                remedy="compute both for the same neighbours",
            )
        return Sensitivity(
            self.l1 + other.l1,
            self.l2_squared + other.l2_squared,
            max(self.linf, other.linf),
            self.neighbours,
        )

    def times(self, questions: int) -> Sensitivity:
        """Return the sensitivity of so many questions of this kind, be they the same or not."""
        if isinstance(questions, bool) or questions < 1:
            raise BadInput("at least one question is needed", where="sensitivity", remedy="try 1")
        return Sensitivity(self.l1 * questions, self.l2_squared * questions, self.linf, self.neighbours)

    def scaled(self, factor: Number) -> Sensitivity:
        """Return the sensitivity of the answer in other units: each number multiplied by the factor."""
        by = abs(exact(factor, where="sensitivity"))
        return Sensitivity(self.l1 * by, self.l2_squared * by**2, self.linf * by, self.neighbours)


@dataclass(frozen=True)
class Contribution:
    """How much of one person counts: bounded before anything is computed, after joins.

    ``rows`` in all; with a GROUP BY in at most ``groups`` cells (None: there is one cell), of which none
    takes more than ``rows_per_group``. ``complete``: every person has exactly ``rows`` rows that count (no
    WHERE, nothing missing), so that replacing a person does not change the number of rows: its sensitivity is
    then 0, and it is told without noise.
    """

    rows: int = 1
    groups: int | None = None
    rows_per_group: int | None = None
    complete: bool = False

    def __post_init__(self) -> None:
        for name, number in (
            ("rows", self.rows),
            ("groups", self.groups),
            ("rows_per_group", self.rows_per_group),
        ):
            if number is not None and (isinstance(number, bool) or number < 1):
                raise BadInput(f"{name} must be at least 1", where="contribution", remedy="try 1")

    @property
    def largest(self) -> int:
        """Most rows of one person in one cell."""
        return self.rows if self.rows_per_group is None else min(self.rows, self.rows_per_group)

    @property
    def total(self) -> int:
        """Most rows of one person in all cells together."""
        return min(self.rows, self.largest * (self.groups or 1))

    @property
    def squares(self) -> int:
        """The largest Σ n² over the cells, when one person has n rows in a cell: cells filled one by one."""
        full, rest = divmod(self.total, self.largest)
        return full * self.largest**2 + rest**2


ONE_ROW = Contribution()


def count(
    contribution: Contribution = ONE_ROW, neighbours: Neighbours = Neighbours.ADD_REMOVE
) -> Sensitivity:
    """Return the sensitivity of COUNT(*), of each cell of a histogram or GROUP BY where there are groups.

    >>> count().l1, count(Contribution(groups=1), Neighbours.SUBSTITUTION).l1
    (Fraction(1, 1), Fraction(2, 1))
    """
    return _additive(Fraction(1), Fraction(1), contribution, neighbours)


def persons(groups: int | None = None, neighbours: Neighbours = Neighbours.ADD_REMOVE) -> Sensitivity:
    """Return the sensitivity of COUNT(DISTINCT person), where a person counts in at most so many groups.

    >>> persons(groups=3).l1
    Fraction(3, 1)
    """
    rows = 1 if groups is None else groups
    return count(Contribution(rows, groups, rows_per_group=1), neighbours)


def total(
    lower: Number,
    upper: Number,
    contribution: Contribution = ONE_ROW,
    neighbours: Neighbours = Neighbours.ADD_REMOVE,
    *,
    centre: Number = 0,
) -> Sensitivity:
    """Return the sensitivity of Σ (x − centre) where lower ≤ x ≤ upper, with c rows of one person:

    add/remove: c · max(|lower − centre|, |upper − centre|); substitution: c · (upper − lower), stretched to
    reach 0 (a row that does not count) unless the contribution is complete.

    >>> total(0, 7).l1  # films of a series of seven that people have seen
    Fraction(7, 1)
    >>> total(0, 100, centre=50).l1
    Fraction(50, 1)
    """
    low, high = _bounds(lower, upper)
    middle = exact(centre, where="centre")
    return _additive(low - middle, high - middle, contribution, neighbours)


def mean_parts(
    lower: Number,
    upper: Number,
    contribution: Contribution = ONE_ROW,
    neighbours: Neighbours = Neighbours.ADD_REMOVE,
    *,
    centre: Number | None = None,
) -> tuple[Sensitivity, Sensitivity]:
    """Return the sensitivities of Σ (x − centre) and n, from which mean = centre + Σ / n.

    The centre is the middle of the bounds unless given: half of the sensitivity of Σ x at best.
    """
    low, high = _bounds(lower, upper)
    middle = (low + high) / 2 if centre is None else exact(centre, where="centre")
    return total(low, high, contribution, neighbours, centre=middle), count(contribution, neighbours)


def variance_parts(
    lower: Number,
    upper: Number,
    contribution: Contribution = ONE_ROW,
    neighbours: Neighbours = Neighbours.ADD_REMOVE,
    *,
    centre: Number | None = None,
    square_centre: Number | None = None,
) -> tuple[Sensitivity, Sensitivity, Sensitivity]:
    """Return the sensitivities of Σ (x − a), Σ ((x − a)² − b) and n: the centred moments.

    Then variance = b + Σ ((x − a)² − b) / n − (Σ (x − a) / n)². With h the farthest that x can lie from a,
    the squares lie in [0, h²], and b = h²/2 unless given.
    """
    low, high = _bounds(lower, upper)
    a = (low + high) / 2 if centre is None else exact(centre, where="centre")
    if not low <= a <= high:
        raise BadInput("the centre must lie within the bounds", where="centre", remedy="leave it out")
    farthest = max(high - a, a - low) ** 2
    b = farthest / 2 if square_centre is None else exact(square_centre, where="square_centre")
    return (
        total(low, high, contribution, neighbours, centre=a),
        total(0, farthest, contribution, neighbours, centre=b),
        count(contribution, neighbours),
    )


def quantile_score(
    quantile: Number,
    contribution: Contribution = ONE_ROW,
    neighbours: Neighbours = Neighbours.ADD_REMOVE,
) -> Fraction:
    """Return Δ∞ of the scores −|(1 − q) · #{x < v} − q · #{x > v}| of candidates v for the q-quantile.

    A row moves the score of a candidate by at most max(q, 1 − q); replaced, from one side to the other, by 1.

    >>> quantile_score("0.5"), quantile_score("0.5", neighbours=Neighbours.SUBSTITUTION)
    (Fraction(1, 2), Fraction(1, 1))
    """
    q = exact(quantile, where="quantile")
    if not 0 <= q <= 1:
        raise BadInput("a quantile lies between 0 and 1", where="quantile", remedy="try 0.5")
    return _additive(-q, 1 - q, contribution, neighbours).linf


def _bounds(lower: Number, upper: Number) -> tuple[Fraction, Fraction]:
    low, high = exact(lower, where="lower"), exact(upper, where="upper")
    if low > high:
        raise BadInput("the lower bound lies above the upper bound", where="bounds", remedy="swap them")
    return low, high


def _additive(
    lower: Fraction, upper: Fraction, contribution: Contribution, neighbours: Neighbours
) -> Sensitivity:
    """Return the sensitivity of a sum over rows (per cell) of something between two bounds.

    A row that does not count adds 0: with lo = min(0, lower) and hi = max(0, upper), n rows of a person
    give a cell between n·lo and n·hi. Added or removed, that is the change. Replaced, it is the difference
    of two such vectors v, w: in one cell at most n·(hi − lo). Over several cells ‖v − w‖₁ ≤ ‖v‖₁ + ‖w‖₁,
    reached where the two people are in different cells; and as v and w differ most in a cell where they lie
    on opposite sides of 0, (n·hi + k·|lo|)² ≤ (n² + k²)(hi² + lo²) by Cauchy and Schwarz, which sums to
    Δ₂² ≤ 2 (hi² + lo²) max Σ n².
    """
    low, high = min(Fraction(0), lower), max(Fraction(0), upper)
    reach = max(high, -low)
    rows, most, squares = contribution.total, contribution.largest, contribution.squares
    if neighbours is Neighbours.ADD_REMOVE:
        return Sensitivity(reach * rows, reach**2 * squares, reach * most, neighbours)
    if contribution.groups is None:
        width = (upper - lower if contribution.complete else high - low) * rows
        return Sensitivity(width, width**2, width, neighbours)
    return Sensitivity(2 * reach * rows, 2 * (high**2 + low**2) * squares, (high - low) * most, neighbours)
