"""What an auditor tried against the mechanisms: exact distributions on tiny domains, and extreme numbers."""

from __future__ import annotations

import decimal
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sfumato.core.errors import BadInput
from sfumato.dp.accounting import Batch
from sfumato.dp.composition import (
    advanced,
    best_of,
    concentrated,
    optimal,
    optimal_delta,
    sequential,
    simplified_optimal,
)
from sfumato.dp.conversions import epsilon_to_rho, for_group, rho_to_delta, rho_to_epsilon, sampled
from sfumato.dp.events import GaussianEvent
from sfumato.dp.exact import as_decimal, decimal_above, exact
from sfumato.dp.mechanisms.coins import bernoulli
from sfumato.dp.mechanisms.enclosure import Enclosure, exp_minus, odds_minus
from sfumato.dp.mechanisms.gaussian import DiscreteGaussian, analytic_delta, delta_of
from sfumato.dp.mechanisms.partition_selection import (
    MOST_STEPS,
    LaplaceThreshold,
    PartitionSelection,
    _steps,
)
from sfumato.dp.mechanisms.sampler import _coins_of
from sfumato.dp.mechanisms.staircase import Staircase
from sfumato.dp.neighbours import Neighbours
from sfumato.dp.price import Price

ENDLESS = [
    "1e999999999",
    "1e-999999999",
    Decimal("1e-999999999"),
    "1e٩٩٩٩٩٩٩٩٩",
    "1e" + "9" * 5000,
    "9" * 5000,
]


@pytest.mark.parametrize("number", ENDLESS, ids=range(len(ENDLESS)))
@pytest.mark.parametrize("read", [exact, as_decimal, decimal_above, Price.pure, Price.concentrated])
def test_a_number_that_would_fill_the_memory_is_refused_at_once(
    read: Callable[..., object], number: str | Decimal
) -> None:
    with pytest.raises(BadInput):
        read(number)


def test_fractions_too_large_to_be_written_are_refused() -> None:
    for read in (as_decimal, decimal_above):
        with pytest.raises(BadInput, match="too large"):
            read(Fraction(10**5000))


def test_numbers_of_every_sensible_size_are_still_read() -> None:
    assert exact("1e-300") == Fraction(1, 10**300)
    assert exact(5e-324) == Fraction("5e-324")
    assert as_decimal(10**30) == Decimal(10**30)


@pytest.mark.parametrize(("epsilon", "delta"), [("1e-6", "1e-12"), ("1e-12", "1e-15"), ("1e-9", "1e-18")])
def test_hopeless_partition_selection_is_refused_before_any_work(epsilon: str, delta: str) -> None:
    """A table of half a million steps that ends in a refusal would be made each time that somebody asks."""
    assert _steps(float(epsilon), float(delta)) > MOST_STEPS
    with pytest.raises(BadInput, match="so small"):
        PartitionSelection(epsilon, delta)


@pytest.mark.parametrize(
    ("epsilon", "delta"), [("1", "1e-6"), ("0.01", "1e-6"), ("1e-6", "0.01"), ("5", "1e-9")]
)
def test_the_number_of_steps_is_known_before_they_are_made(epsilon: str, delta: str) -> None:
    made = PartitionSelection(epsilon, delta).always_told_from
    assert made - 4 <= _steps(float(epsilon), float(delta)) <= made


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(1, "1e-9"), ("0.01", "1e-6"), ("1e-6", "0.01"), (40, "1e-18")]
)
def test_what_can_be_told_is_not_refused(epsilon: int | str, delta: str) -> None:
    assert PartitionSelection(epsilon, delta).always_told_from < 500_000


def test_gaussian_noise_is_never_said_to_be_pure() -> None:
    assert 0 < delta_of(1000, 100) < 1e-300
    assert DiscreteGaussian(Fraction(1000)).delta(10) > 0


def test_losses_of_thousands_are_accounted_for_on_a_wider_grid() -> None:
    """On the usual first grid such a mechanism has tens of millions of losses, and takes minutes."""
    found = Batch(((GaussianEvent(Fraction(1, 30)), 1),)).epsilon_at("1e-6")
    assert found.step > 2**-10
    assert analytic_delta(found.epsilon, Fraction(1, 30)) <= 1e-6


def test_a_staircase_wider_than_whole_numbers_is_refused_and_not_an_accident() -> None:
    with pytest.raises(BadInput, match="2\\^62"):
        Staircase(1000, 2**65)


def test_a_group_of_endless_size_is_promised_nothing() -> None:
    with pytest.raises(BadInput, match="nothing is promised"):
        for_group(Price.approximate(1, "1e-18"), 10**25)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 10**21), st.integers(1, 10**18 - 1))
def test_rho_and_epsilon_stay_on_the_safe_side_of_each_other_at_any_size(units: int, share: int) -> None:
    rho, delta = Fraction(units, 10**18), Fraction(share, 10**18)
    epsilon = rho_to_epsilon(rho, delta)
    # A smaller order than the best one is still a bound, so only this direction can be claimed exactly.
    assert exact(rho_to_delta(rho, epsilon)) <= delta + Fraction(1, 10**17)
    if epsilon > 0:
        assert exact(epsilon_to_rho(epsilon, delta)) >= rho - Fraction(1, 10**18) - rho / 10**15


@pytest.mark.parametrize("rounding", [decimal.ROUND_UP, decimal.ROUND_DOWN])
def test_the_decimal_context_of_a_caller_changes_no_price(rounding: str) -> None:
    """Four digits, rounded up, would leave more of δ than there is, and so a smaller ε."""
    delta = "0.000000123456789123"
    both = [Price.approximate("0.123456789", delta, rho="0.0123456789", rho_delta=delta)] * 3
    total = "1.00000555555e-6"

    def prices() -> list[object]:
        return [
            *(rule(both, total) for rule in (advanced, simplified_optimal, concentrated, best_of)),
            (optimal(both[0], 3, total), optimal_delta(both[0], 3, "0.3"), sequential(both)),
            (for_group(both[0], 3), sampled(both[0], "0.1234567"), epsilon_to_rho("0.123456789", delta)),
        ]

    expected = prices()
    with decimal.localcontext(prec=4, rounding=rounding):
        assert prices() == expected


class OneLane:
    """Hands out chosen bits, one per machine word, in its lowest place: what one cell sees."""

    secret = False

    def __init__(self, bits: Sequence[int]) -> None:
        self.bits = iter(bits)

    def integers(self, below: int, size: int) -> NDArray[np.int64]:
        assert (below, size) == (2**32, 2)
        return np.array([0, next(self.bits)], np.int64)


def _mass_of_ones(coin: Enclosure, depth: int) -> tuple[Fraction, Fraction]:
    """Go through every string of up to ``depth`` bits; return what is surely 1, and what is still open."""
    ones, undecided = Fraction(0), Fraction(1)
    open_strings: list[tuple[int, ...]] = [()]
    for length in range(1, depth + 1):
        still = []
        for string, bit in itertools.product(open_strings, (0, 1)):
            longer = (*string, bit)
            try:
                shown = int(bernoulli(coin, 1, OneLane(longer))[0])  # type: ignore[arg-type]
            except StopIteration:
                still.append(longer)
                continue
            ones += Fraction(shown, 2**length)
            undecided -= Fraction(1, 2**length)
        open_strings = still
    return ones, undecided


@pytest.mark.parametrize(
    ("coin", "probability"),
    [
        (exp_minus(Fraction(1)), math.exp(-1)),
        (exp_minus(Fraction(1, 1000)), math.exp(-0.001)),
        (exp_minus(Fraction(9)), math.exp(-9)),
        (odds_minus(Fraction(1, 3)), 1 / (1 + math.exp(1 / 3))),
        (odds_minus(Fraction(2), 2), 2 / (1 + math.exp(2))),
    ],
)
def test_every_string_of_bits_is_decided_as_the_probability_says(coin: Enclosure, probability: float) -> None:
    depth = 30
    ones, undecided = _mass_of_ones(coin, depth)
    assert undecided == Fraction(1, 2**depth)  # one string is open at every depth, as in a fair comparison
    assert float(ones) <= probability + 1e-15
    assert probability - 1e-15 <= float(ones + undecided)


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(1), Fraction(7, 5), Fraction(10)])
def test_the_coins_of_laplace_noise_multiply_to_its_distribution(scale: Fraction) -> None:
    """Pr[0] and Pr[±(1 + g)] from the coins' own bounds, against (1 − q)/(1 + q) q^|x|."""

    def middle(coin: Enclosure) -> Fraction:
        low, high = coin(80)
        return Fraction(low + high, 2**81)

    nonzero, high, *digits = (middle(coin) for coin, _ in _coins_of(scale))
    q = math.exp(-1 / scale)
    zero = (1 - q) / (1 + q)
    assert float(1 - nonzero) == pytest.approx(zero, rel=1e-12)
    for g in (0, 1, 2, 5, 11, 2 ** len(digits) - 1, 2 ** len(digits), 3 * 2 ** len(digits) + 1):
        top, rest = divmod(g, 2 ** len(digits))
        told = nonzero / 2 * high**top * (1 - high)
        for place, one in enumerate(digits):
            told *= one if rest >> place & 1 else 1 - one
        assert float(told) == pytest.approx(zero * q ** (g + 1), rel=1e-9)


Counts = tuple[int, ...]


def _neighbouring(counts: Counts, groups: int, neighbours: Neighbours) -> Iterator[Counts]:
    """Give all that one person in at most so many groups can turn the groups' sizes into."""
    places = range(len(counts))
    sets = [set(s) for k in range(groups + 1) for s in itertools.combinations(places, k)]
    leave = [s for s in sets if all(counts[i] > 0 for i in s)]
    if neighbours is Neighbours.ADD_REMOVE:
        yield from (tuple(c + (i in s) for i, c in enumerate(counts)) for s in sets)
        yield from (tuple(c - (i in s) for i, c in enumerate(counts)) for s in leave)
    else:
        for gone, come in itertools.product(leave, sets):
            yield tuple(c - (i in gone) + (i in come) for i, c in enumerate(counts))


def _excess(
    one: Sequence[dict[object, float]], other: Sequence[dict[object, float]], epsilon: float
) -> float:
    """Return Σ max(0, P − e^ε Q) over all outcomes of independent groups: the δ that two inputs need."""
    told = 0.0
    for outcome in itertools.product(*(each.keys() for each in one)):
        p = math.prod(each.get(o, 0.0) for each, o in zip(one, outcome, strict=True))
        q = math.prod(each.get(o, 0.0) for each, o in zip(other, outcome, strict=True))
        told += max(0.0, p - math.exp(epsilon) * q)
    return told


def _worst(
    distribution: Callable[[int], dict[object, float]],
    groups: int,
    neighbours: Neighbours,
    epsilon: float,
    sizes: range,
    many: int,
) -> float:
    worst = 0.0
    for counts in itertools.combinations_with_replacement(sizes, many):
        for other in set(_neighbouring(counts, groups, neighbours)):
            changed = [i for i in range(many) if counts[i] != other[i]]
            pair = [[distribution(c[i]) for i in changed] for c in (counts, other)]
            worst = max(worst, _excess(pair[0], pair[1], epsilon), _excess(pair[1], pair[0], epsilon))
    return worst


@pytest.mark.parametrize("neighbours", list(Neighbours))
@pytest.mark.parametrize("groups", [1, 2])
def test_no_one_in_several_groups_is_betrayed_by_which_groups_are_told(
    groups: int, neighbours: Neighbours
) -> None:
    epsilon, delta = 1.0, 0.04
    chosen = PartitionSelection(1, "0.04", groups, neighbours)

    def told(people: int, rule: PartitionSelection = chosen) -> dict[object, float]:
        return {True: rule.probability(people), False: 1.0 - rule.probability(people)}

    worst = _worst(told, groups, neighbours, epsilon, range(6), 2 * groups)
    assert delta / 4 < worst <= delta + 1e-12
    if groups > 1 or neighbours is Neighbours.SUBSTITUTION:
        forgetful = PartitionSelection(1, "0.04")
        broken = _worst(lambda n: told(n, forgetful), groups, neighbours, epsilon, range(6), 2 * groups)
        assert broken > delta


@pytest.mark.parametrize("neighbours", list(Neighbours))
def test_no_one_is_betrayed_by_groups_that_are_told_with_their_noisy_counts(neighbours: Neighbours) -> None:
    """Also when one person replaced by another leaves a group of one and founds another."""
    epsilon, delta = 2.0, 0.05
    chosen = LaplaceThreshold(2, "0.05", 1, neighbours)

    def told(people: int, threshold: int = chosen.threshold) -> dict[object, float]:
        if people == 0:
            return {None: 1.0}
        q = math.exp(-1 / float(chosen.scale))
        shown: dict[object, float] = {
            n: (1 - q) / (1 + q) * q ** abs(n - people) for n in range(threshold, threshold + 40)
        }
        # The far end is one outcome, so that what is cut off is nowhere counted as a difference.
        shown["more"] = q ** (threshold + 40 - people) / (1 + q)
        return {**shown, None: max(0.0, 1.0 - sum(shown.values()))}

    def spread(people: int, threshold: int = chosen.threshold) -> dict[object, float]:
        found = told(people, threshold)
        return {key: found.get(key, 0.0) for key in told(1, threshold)}

    worst = _worst(spread, 1, neighbours, epsilon, range(5), 2)
    assert delta / 20 < worst <= delta + 1e-12
    low = _worst(lambda n: spread(n, chosen.threshold - 3), 1, neighbours, epsilon, range(3), 2)
    assert low > delta
