"""How a question will be answered: which noise each measure gets, and what all of it costs together.

Made from the question, metadata and the price alone, before anything is charged or read; ``quote`` and the
answer come from the same plan. The price is shared equally among the measures (and the choice of groups,
when their keys are not public), in exact fractions that add up to what was asked: a question with three
measures at ε = 1 costs 1, not 3.

* A pure price buys discrete Laplace noise.
* ρ buys discrete Gaussian noise (Canonne, Kamath & Steinke 2020); shares of ρ add up (Bun & Steinke 2016).
* (ε, δ) buys the one of the two with less error: Laplace at ε, or Gaussian at the largest ρ that is (ε, δ).
* Quantiles are chosen by the exponential mechanism, which at ρ is run with ε = √(8ρ) (Cesar & Rogers 2021).
* Groups whose keys are not public are told only if enough people are in them; that takes all of δ.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sfumato.core.errors import BadInput
from sfumato.dp.contract import IntegerNoise
from sfumato.dp.conversions import epsilon_to_rho
from sfumato.dp.exact import DIGITS, exact
from sfumato.dp.mechanisms.exponential import Exponential
from sfumato.dp.mechanisms.gaussian import DiscreteGaussian
from sfumato.dp.mechanisms.laplace import DiscreteLaplace
from sfumato.dp.mechanisms.partition_selection import PartitionSelection
from sfumato.dp.price import Price
from sfumato.query.answer import CONFIDENCE, MeasureQuote, Quote
from sfumato.query.metadata import Metadata
from sfumato.query.quantiles import Candidates, score_sensitivity
from sfumato.query.question import Measure, Question, Statistic
from sfumato.query.statistics import Additive, Reach, additive, units

UNKNOWN_GROUPS = 100
"""as many groups are reckoned with when they are not public: quantiles have fewer candidates then"""
LARGEST_SUM = 2**60
LARGEST_SCALE = 2**54
"""sums and noise scales beyond are coarsened: both then fit 64 bits with room"""


@dataclass(frozen=True)
class NoisyNumbers:
    """A measure made of whole numbers that get noise. Without noise it is a constant."""

    measure: Measure
    numbers: Additive
    noise: IntegerNoise | None
    epsilon: Fraction | None
    rho: Fraction | None


@dataclass(frozen=True)
class NoisyChoice:
    """A quantile."""

    measure: Measure
    candidates: Candidates
    choice: Exponential
    epsilon: Fraction | None
    rho: Fraction | None


@dataclass(frozen=True)
class NoisePlan:
    """Everything that is decided before data are read."""

    question: Question
    price: Price
    """what was asked, with the ρ that is now known"""
    reach: Reach
    measures: tuple[NoisyNumbers | NoisyChoice, ...]
    selection: PartitionSelection | None
    selection_epsilon: Fraction | None
    cells: int | None
    """groups of the answer; None when they are selected"""
    max_groups: int
    """most groups that are told when they are selected"""
    room: int | None = None
    """bytes that the rows of selected groups may take; None: any number (see ``size``)"""


def column_of(number: int) -> str:
    """Return the name of the column that holds the units of a measure."""
    return f"u{number}"


def plan(question: Question, metadata: Metadata, price: Price) -> NoisePlan:
    """Decide how the question is answered for the price, or refuse it."""
    if price.delta > metadata.max_delta:
        raise BadInput(
            f"delta is larger than the {float(metadata.max_delta):g} that this data set allows",
            where="delta",
            remedy="ask with a smaller one",
        )
    reach = Reach.of(question, metadata)
    cells = _cells(question, metadata)
    shares = len(question.measures) + (cells is None)
    groups = UNKNOWN_GROUPS if cells is None else cells
    if cells is None:
        selection, share = _selection(price, reach, shares)
        pure = None if price.epsilon is None else exact(price.epsilon) / shares
        rho = None if price.rho is None or pure is not None else exact(price.rho) / shares
        measures = [
            _measure(i, measure, reach, groups, pure, rho) for i, measure in enumerate(question.measures)
        ]
        paid = price if pure is None else _with_rho(price, exact(price.epsilon or 0) ** 2 / 2, price.delta)
        return NoisePlan(question, paid, reach, tuple(measures), selection, share, None, metadata.max_groups)
    measures, paid = _measures(question.measures, reach, groups, price)
    return NoisePlan(question, paid, reach, tuple(measures), None, None, cells, metadata.max_groups)


def quote(question: Question, metadata: Metadata, price: Price) -> Quote:
    """Return what the question will cost and how far off its answer will be, from metadata alone."""
    return quote_of(plan(question, metadata, price))


def quote_of(planned: NoisePlan) -> Quote:
    """Return the quote of a plan."""
    note = f"neighbours: {planned.reach.neighbours.in_words}"
    if planned.reach.rows > 1:
        note += f"; at most {planned.reach.rows} rows of one person count"
    if planned.reach.bound_groups:
        note += f"; each person counts in at most {planned.reach.groups} groups"
    if planned.selection is not None:
        note += f"; groups with few people are left out, and at most {planned.max_groups:,} are told"
    return Quote(
        planned.question.canonical,
        planned.price,
        tuple(_quoted(measure) for measure in planned.measures),
        planned.cells,
        note,
    )


def _quoted(planned: NoisyNumbers | NoisyChoice) -> MeasureQuote:
    measure = planned.measure
    if isinstance(planned, NoisyChoice):
        bound = (
            2 * (math.log(planned.candidates.count) - math.log(1 - CONFIDENCE)) / float(planned.epsilon or 1)
        )
        rank = bound * float(planned.choice.sensitivity) / (measure.quantile or Fraction(1)).denominator
        note = (
            f"off by at most about {rank:.3g} rows in rank; in units it depends on how close the values lie"
        )
        if planned.candidates.step > 1 and measure.expression is not None:
            apart = float(planned.candidates.step * measure.expression.grid)
            note += f"; told in steps of {apart:g}"
        return MeasureQuote(measure.name, planned.choice.name, planned.epsilon, None, note)
    if planned.noise is None:
        return MeasureQuote(measure.name, "constant", planned.epsilon, 0.0, "its bounds allow one value only")
    name, grid = planned.noise.name, Fraction(1) if measure.expression is None else measure.expression.grid
    width = planned.noise.within(CONFIDENCE) * planned.numbers.divisor
    if measure.statistic in (Statistic.COUNT, Statistic.PERSONS):
        return MeasureQuote(measure.name, name, planned.epsilon, float(width))
    if measure.statistic is Statistic.SUM:
        return MeasureQuote(measure.name, name, planned.epsilon, float(width * grid))
    assert measure.expression is not None
    lower, upper = units(measure.expression)
    span = float((upper - lower) * grid)
    reach = width / planned.numbers.row * (span if measure.statistic is Statistic.MEAN else span**2)
    note = f"at most about ± {reach:.3g} divided by the number of rows"
    return MeasureQuote(measure.name, name, planned.epsilon, None, note)


def _cells(question: Question, metadata: Metadata) -> int | None:
    public = [len(key.values) + key.missing for key in question.keys if key.values is not None]
    cells = math.prod(public)
    if cells > metadata.max_groups:
        raise BadInput(
            f"the question could have {cells} groups, more than the {metadata.max_groups} that are allowed",
            where="GROUP BY",
            remedy="group by fewer columns or coarser values",
        )
    return None if len(public) < len(question.keys) else cells


def _selection(price: Price, reach: Reach, shares: int) -> tuple[PartitionSelection, Fraction]:
    if not price.delta:
        raise BadInput(
            "the groups are not public, and choosing those that are told needs a delta",
            where="GROUP BY",
            remedy="ask with delta, such as 1e-7, or group by a column whose values are declared",
        )
    if price.epsilon is not None:
        share = exact(price.epsilon) / shares
    else:
        # An (ε, δ) mechanism is, but for δ, ε²/2 in concentrated terms (Bun & Steinke 2016).
        share = _root_below(2 * exact(price.rho or 0) / shares)
    return PartitionSelection(share, exact(price.delta), reach.groups, reach.neighbours), share


def _measures(
    measures: Sequence[Measure], reach: Reach, groups: int, price: Price
) -> tuple[list[NoisyNumbers | NoisyChoice], Price]:
    """Share the price equally; where it has δ, take the mechanism with less error."""
    shares = len(measures)
    if price.epsilon is None:
        rho = exact(price.rho or 0) / shares
        return [_measure(i, measure, reach, groups, None, rho) for i, measure in enumerate(measures)], price
    epsilon = exact(price.epsilon)
    pure = [_measure(i, measure, reach, groups, epsilon / shares, None) for i, measure in enumerate(measures)]
    if not price.delta:
        return pure, price
    try:
        rho = exact(epsilon_to_rho(epsilon, exact(price.delta)))
    except BadInput:
        # ε too small for any ρ at this δ: Laplace noise it is.
        return pure, _with_rho(price, epsilon**2 / 2)
    smooth = [_measure(i, measure, reach, groups, None, rho / shares) for i, measure in enumerate(measures)]
    if sum(_badness(one) - _badness(other) for one, other in zip(smooth, pure, strict=True)) < 0:
        return smooth, _with_rho(price, rho)
    return pure, _with_rho(price, epsilon**2 / 2)


def _with_rho(price: Price, rho: Fraction, rho_delta: object = 0) -> Price:
    return Price.approximate(
        price.epsilon or 0, price.delta, rho=rho, rho_delta=price.delta if rho_delta else 0
    )


def _badness(planned: NoisyNumbers | NoisyChoice) -> float:
    """Return the logarithm of the noise's variance, so that measures in different units compare."""
    if isinstance(planned, NoisyChoice):
        return -2 * math.log(planned.choice.rate)
    if planned.noise is None:
        return 0.0
    return math.log(planned.noise.variance or 1e-300) + 2 * math.log(planned.numbers.divisor)


def _measure(
    number: int, measure: Measure, reach: Reach, groups: int, epsilon: Fraction | None, rho: Fraction | None
) -> NoisyNumbers | NoisyChoice:
    if measure.statistic is Statistic.QUANTILE:
        return _choice(measure, reach, groups, epsilon, rho)
    numbers = additive(measure, column_of(number), reach)
    if not numbers.aggregates:
        return NoisyNumbers(measure, numbers, None, epsilon, rho)
    needed = max(_scale(numbers, epsilon, rho) / LARGEST_SCALE, Fraction(numbers.largest, LARGEST_SUM))
    divisor = 1
    while divisor < needed:
        divisor *= 2
    numbers = numbers.divided(divisor, reach.touched)
    noise: IntegerNoise
    if epsilon is not None:
        noise = DiscreteLaplace.of(epsilon, numbers.sensitivity.l1)
    else:
        assert rho is not None
        noise = DiscreteGaussian.of_rho(rho, numbers.sensitivity.l2)
    return NoisyNumbers(measure, numbers, noise, epsilon, rho)


def _scale(numbers: Additive, epsilon: Fraction | None, rho: Fraction | None) -> Fraction:
    if epsilon is not None:
        return numbers.sensitivity.l1 / epsilon
    assert rho is not None
    return numbers.sensitivity.l2 * 2 / _root_below(4 * rho)


def _choice(
    measure: Measure, reach: Reach, groups: int, epsilon: Fraction | None, rho: Fraction | None
) -> NoisyChoice:
    assert measure.quantile is not None
    if measure.quantile.denominator * reach.total >= 2**61:
        raise BadInput(
            "the quantile has too many decimal places",
            where=f"'{measure.name}'",
            remedy="write it like 0.5 or 0.95",
        )
    share = epsilon
    if share is None:
        assert rho is not None
        share = _root_below(8 * rho)
    choice = Exponential(share, score_sensitivity(measure, reach))
    return NoisyChoice(measure, Candidates.of(measure, groups), choice, share, rho)


def _root_below(number: Fraction) -> Fraction:
    """Return a number of 18 decimal places that is not more than the square root."""
    return Fraction(math.isqrt(math.floor(number * 10 ** (2 * DIGITS))), 10**DIGITS)
